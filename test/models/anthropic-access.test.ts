import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { Interruption, RetryableModelError, TerminalModelError } from '../../src/engine/ground/errors.ts';
import type { Clock } from '../../src/engine/ports.ts';
import { tryAnthropic, type AccessOptions } from '../../src/models/anthropic.ts';
import { scripted, startMessagesServer, type Peer, type PeerOptions } from '../peers/messages-server.ts';

let peer: Peer | undefined;
afterEach(() => peer?.close());

describe('the probe of the Anthropic API', () => {
  interface ProbeResult {
    error: unknown;
    waits: number[];
    retries: string[];
    peer: Peer;
  }
  async function probe(free: PeerOptions['free'], over: Partial<AccessOptions> = {}): Promise<ProbeResult> {
    const server = (peer = await startMessagesServer({ answer: scripted(), ...(free ? { free } : {}) }));
    const waits: number[] = [];
    const retries: string[] = [];
    let now = 0;
    const clock: Clock = { now: () => now, sleep: async (ms) => void ((now += ms), waits.push(ms)) };
    const onRetry = (why: string, attempt: number): number => retries.push(`${attempt}: ${why}`);
    const { signal } = new AbortController();
    const options = {
      apiKey: 'k-1',
      baseURL: server.url,
      models: ['a', 'b', 'a'],
      signal,
      onRetry,
      idleTimeoutMs: 5000,
      ...over,
    };
    const error = await tryAnthropic(options, clock).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    return { error, waits, retries, peer: server };
  }
  const kindOf = (error: unknown): string =>
    error instanceof RetryableModelError || error instanceof TerminalModelError ? error.kind : '';

  it('sends two free requests for each model, with the key: what it takes, and what it can do', async () => {
    const { error, peer: server } = await probe(undefined);
    assert.equal(error, undefined);
    assert.deepEqual(
      server.requests.map(({ path, body, headers }) => [path, body['model'], headers['authorization']]),
      ['a', 'b'].flatMap((model) => [
        ['/v1/messages/count_tokens', model, 'Bearer k-1'],
        [`/v1/models/${model}`, undefined, 'Bearer k-1'],
      ]),
    );
  });

  it('takes a model of which nobody tells what it can do, as behind a gateway', async () => {
    const { error } = await probe(({ path }) => (path.startsWith('/v1/models/') ? { status: 404 } : undefined));
    assert.equal(error, undefined);
  });

  it('gives up at once on a wrong key, an unknown model, or a server that is not the API', async () => {
    const at = async (status: number, body?: string): Promise<unknown[]> => {
      const { error, waits } = await probe(() => ({ status, ...(body ? { body } : {}) }));
      await peer?.close();
      return [kindOf(error), waits.length];
    };
    assert.deepEqual(await at(401), ['authentication', 0]);
    assert.deepEqual(await at(404), ['request', 0]);
    assert.deepEqual(await at(200, '<html>Log in</html>'), ['request', 0]);
  });

  it('retries for a minute, and reports each retry', async () => {
    const { error, waits, retries } = await probe(() => ({ status: 503 }));
    assert.equal(kindOf(error), 'overloaded');
    assert.deepEqual(waits, [1000, 2000, 4000, 8000, 16_000, 16_000, 13_000]);
    assert.deepEqual(
      retries.map((line) => line.slice(0, 8)),
      waits.map((_, index) => `${index + 1}: The A`),
    );
  });

  it('succeeds when the API comes back, and waits as long as the API asks', async () => {
    let left = 2;
    const { error, waits } = await probe(() => (left-- > 0 ? { status: 429, headers: { 'retry-after': '7' } } : undefined));
    assert.deepEqual([error, waits], [undefined, [7000, 7000]]);
  });

  it('waits longer each time where the API names a time that is past', async () => {
    let left = 2;
    const { waits } = await probe(() => (left-- > 0 ? { status: 503, headers: { 'retry-after': '0' } } : undefined));
    assert.deepEqual(waits, [1000, 2000]);
  });

  it('does not start a wait that is longer than a minute', async () => {
    const { error, waits } = await probe(() => ({ status: 429, headers: { 'retry-after': '3600' } }));
    assert.deepEqual([kindOf(error), waits], ['rate-limited', []]);
  });

  it('can be cancelled', async () => {
    const { error } = await probe(() => ({ status: 'silence' }), { signal: AbortSignal.timeout(20) });
    assert.ok(error instanceof Interruption);
  });
});
