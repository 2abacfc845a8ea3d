import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { InputError } from '../../src/engine/ground/errors.ts';
import { checkKey, createLazyAnthropic, probe } from '../../src/models/load.ts';
import { pricesOf } from '../../src/models/prices.ts';
import { scripted, startMessagesServer, type Peer } from '../peers/messages-server.ts';

interface Metafile {
  outputs: Record<string, { inputs: Record<string, unknown>; entryPoint?: string; imports: { path: string; kind: string }[] }>;
}

describe('loading the model', () => {
  let peer: Peer | undefined;
  afterEach(() => peer?.close());

  it('loads the SDK only by a dynamic import', () => {
    const { outputs } = bundle('src/models/load.ts');
    const [entry] = Object.keys(outputs).filter((name) => outputs[name]?.entryPoint === 'src/models/load.ts');
    const eager = new Set([entry ?? '']);
    for (const name of eager) {
      for (const { path, kind } of outputs[name]?.imports ?? []) if (kind === 'import-statement' && outputs[path]) eager.add(path);
    }
    const inputs = (names: Iterable<string>): string[] => [...names].flatMap((name) => Object.keys(outputs[name]?.inputs ?? {}));
    const sdk = (inputsOf: string[]): string[] => inputsOf.filter((path) => path.includes('@anthropic-ai/sdk'));
    assert.ok(inputs(eager).includes('src/models/load.ts'));
    assert.deepEqual(sdk(inputs(eager)), []);
    assert.ok(sdk(inputs(Object.keys(outputs))).length > 0);
  });

  it('asks and probes with the lazily loaded model', async () => {
    peer = await startMessagesServer({ answer: scripted({ content: [{ type: 'text', text: 'Hello' }] }) });
    const options = { apiKey: 'k-1', baseURL: peer.url };
    const { signal } = new AbortController();
    const model = createLazyAnthropic(options);
    assert.deepEqual(model.prices('claude-opus-5-5'), pricesOf('claude-opus-5-5'));
    const request = { role: 'r', purpose: 'p', turn: 1, model: 'm', maxTokens: 9, system: '', tools: [] };
    const reply = await model.ask({ ...request, messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] }, () => {}, signal);
    assert.deepEqual(reply.content, [{ type: 'text', text: 'Hello' }]);
    await probe({ ...options, models: ['m'], signal, onRetry: assert.fail }, { now: () => 0, sleep: assert.fail });
    assert.deepEqual(
      peer.requests.map(({ path }) => path),
      ['/v1/messages', '/v1/messages/count_tokens', '/v1/models/m'],
    );
    await assert.rejects(
      createLazyAnthropic({ apiKey: '' }).ask({ ...request, messages: [] }, () => {}, signal),
      InputError,
    );
  });

  it('asks the API whether it takes a key, and tells that from an API that is not there', async () => {
    let fault: { status: number; type: string } | undefined;
    peer = await startMessagesServer({ answer: scripted(), free: () => fault });
    const kindOf = async (apiKey: string, baseURL = peer?.url ?? ''): Promise<string> => (await checkKey({ apiKey, baseURL }, 'm')).kind;
    assert.equal(await kindOf('k-1'), 'taken');
    fault = { status: 401, type: 'authentication_error' };
    assert.equal(await kindOf('k-1'), 'refused');
    fault = { status: 404, type: 'not_found_error' };
    assert.equal(await kindOf('k-1'), 'taken', 'a model that is not known is no fault of the key');
    fault = { status: 529, type: 'overloaded_error' };
    assert.equal(await kindOf('k-1'), 'unreached');
    assert.equal(await kindOf('k-1', 'http://127.0.0.1:9'), 'unreached');
    assert.equal(await kindOf(''), 'refused');
  });
});

function bundle(entry: string): Metafile {
  const folder = mkdtempSync(join(tmpdir(), 'loop-load-'));
  try {
    const metafile = join(folder, 'meta.json');
    const flags = ['--bundle', '--splitting', '--format=esm', '--platform=node', '--log-level=error'];
    execFileSync(join('node_modules', '.bin', 'esbuild'), [entry, ...flags, `--outdir=${folder}`, `--metafile=${metafile}`]);
    const { outputs } = JSON.parse(readFileSync(metafile, 'utf8')) as Metafile;
    return { outputs };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
