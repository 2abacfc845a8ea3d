import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { afterEach, describe, it } from 'mocha';
import { worstCase } from '../../src/engine/agents/cost.ts';
import type { AskReply, AskRequest } from '../../src/engine/ground/messages.ts';
import { InputError, Interruption, RetryableModelError, TerminalModelError } from '../../src/engine/ground/errors.ts';
import { createAnthropic } from '../../src/models/anthropic.ts';
import { scripted, startMessagesServer, type Answer, type Peer, type PeerOptions, type WireBlock } from '../peers/messages-server.ts';
import { framesOf, ping } from '../peers/messages-wire.ts';

const request: AskRequest = {
  role: 'builder',
  purpose: 'execute/T1#1',
  turn: 1,
  model: 'claude-sonnet-5-5',
  maxTokens: 1000,
  system: 'You build.',
  tools: [{ name: 'bash', description: 'Runs', inputSchema: { type: 'object' } }],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Go' }] }],
};
const text: WireBlock = { type: 'text', text: 'All is well, with an ä and a 🙂.' };
const thinking: WireBlock = { type: 'thinking', thinking: 'Let me see', signature: 'sig+/==' };
const bash: WireBlock = { type: 'tool_use', id: 'toolu_1', name: 'bash', input: { command: 'npm test', list: [1, '"'] } };
const idleTimeoutMs = 500;

let peer: Peer | undefined;
afterEach(async () => {
  await peer?.close();
  peer = undefined;
});

async function serving(options: PeerOptions): Promise<Peer> {
  return (peer = await startMessagesServer(options));
}

interface AskResult {
  reply: AskReply;
  shown: string;
  peer: Peer;
}
async function ask(answer: Answer, over: Partial<AskRequest> = {}, signal = new AbortController().signal): Promise<AskResult> {
  const server = await serving({ answer: scripted(answer) });
  // Short only when the test waits for the timeout: on a busy machine any answer can be slow.
  const limit = goesQuiet(answer) ? { idleTimeoutMs } : {};
  const model = createAnthropic({ apiKey: 'k-1', baseURL: server.url, ...limit });
  let shown = '';
  const reply = await model.ask({ ...request, ...over }, (delta) => (shown += delta), signal);
  return { reply, shown, peer: server };
}

function goesQuiet(answer: Answer): boolean {
  if ('status' in answer) return answer.status === 'silence';
  return answer.breaks?.by === 'stall' || answer.pings !== undefined;
}

async function failure(answer: Answer): Promise<RetryableModelError | TerminalModelError> {
  try {
    await ask(answer);
  } catch (error) {
    if (error instanceof RetryableModelError || error instanceof TerminalModelError) return error;
    throw error;
  }
  return assert.fail('the request must fail');
}

describe('a reply of the Messages API', () => {
  it('is returned completely: exact thinking, text, calls and the last usage', async () => {
    const redacted: WireBlock = { type: 'redacted_thinking', data: 'xyz' };
    const usage = { input: 5, output: 77, cacheRead: 900, cacheWrite: 40 };
    const { reply, shown } = await ask({ content: [thinking, redacted, text, bash], usage, model: 'claude-sonnet-5-5-20260928' });
    assert.deepEqual(reply, {
      content: [thinking, redacted, text, bash],
      stop: 'tool_use',
      usage,
      model: 'claude-sonnet-5-5-20260928',
    });
    assert.equal(shown, 'Let me seeAll is well, with an ä and a 🙂.');
  });

  it('is sent back unchanged in the next request', async () => {
    const server = await serving({ answer: scripted({ content: [thinking, text, bash] }, { content: [text] }) });
    const model = createAnthropic({ apiKey: 'k-1', baseURL: server.url });
    const { signal } = new AbortController();
    const first = await model.ask(request, () => {}, signal);
    const result = { type: 'tool_result' as const, tool_use_id: 'toolu_1', content: 'ok' };
    const messages = [
      ...request.messages,
      { role: 'assistant' as const, content: first.content },
      { role: 'user' as const, content: [result] },
    ];
    await model.ask({ ...request, turn: 2, messages }, () => {}, signal);
    const sent = server.requests[1]?.body['messages'] as { content: unknown }[];
    assert.deepEqual(sent[1]?.content, [thinking, text, bash]);
  });

  it('is nothing where it is only whitespace, which the API would not take back, also from an older journal', async () => {
    const blank: WireBlock = { type: 'text', text: '\n\n' };
    const server = await serving({ answer: scripted({ content: [blank] }, { content: [text] }) });
    const model = createAnthropic({ apiKey: 'k-1', baseURL: server.url });
    const { signal } = new AbortController();
    const { content, stop } = await model.ask(request, () => {}, signal);
    assert.deepEqual([content, stop], [[], 'end_turn']);
    const reminder = { role: 'user' as const, content: [{ type: 'text' as const, text: 'Report.' }] };
    const older = { role: 'assistant' as const, content: [{ type: 'text' as const, text: '\n\n' }] };
    await model.ask({ ...request, turn: 2, messages: [...request.messages, older, reminder] }, () => {}, signal);
    const sent = server.requests[1]?.body['messages'] as { role: string }[];
    assert.deepEqual(
      sent.map(({ role }) => role),
      ['user', 'user'],
    );
  });

  it('is requested with the key and the session, and without retries by the SDK', async () => {
    const { peer: server } = await ask({ content: [text] }, { effort: 'low' });
    const [sent] = server.requests;
    assert.equal(sent?.headers['authorization'], 'Bearer k-1');
    assert.equal(sent?.headers['x-api-key'], undefined);
    assert.equal(sent?.headers['x-stainless-retry-count'], '0');
    assert.equal(sent?.headers['x-loop-session'], 'builder execute%2FT1%231');
    assert.equal(sent?.headers['anthropic-version'], '2026-10-21');
    assert.deepEqual(Object.keys(sent?.body ?? {}).sort(), [
      'max_tokens',
      'messages',
      'model',
      'output_config',
      'stream',
      'system',
      'thinking',
      'tools',
    ]);
  });

  it('comes from the default endpoint, whatever the environment names', async () => {
    const before = process.env['ANTHROPIC_BASE_URL'];
    process.env['ANTHROPIC_BASE_URL'] = 'http://127.0.0.1:9';
    try {
      const urls: string[] = [];
      const fetch: typeof globalThis.fetch = async (url) => {
        urls.push(url instanceof Request ? url.url : String(url));
        return Response.json({ input_tokens: 1 });
      };
      await createAnthropic({ apiKey: 'k-1', fetch }).probe('m', new AbortController().signal);
      assert.deepEqual(urls, ['https://api.anthropic.com/v1/messages/count_tokens', 'https://api.anthropic.com/v1/models/m']);
    } finally {
      if (before === undefined) delete process.env['ANTHROPIC_BASE_URL'];
      else process.env['ANTHROPIC_BASE_URL'] = before;
    }
  });

  it('keeps the results of the provider’s web tools unchanged, and counts the searches', async () => {
    const call: WireBlock = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'zod 4' } };
    const results: WireBlock = {
      type: 'web_search_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: [{ type: 'web_search_result', url: 'https://example.org', encrypted_content: 'x' }],
    };
    const page: WireBlock = {
      type: 'web_fetch_tool_result',
      tool_use_id: 'srvtoolu_2',
      content: { type: 'web_fetch_result', url: 'https://example.org' },
    };
    const { reply } = await ask({ content: [text, call, results, page], stop: 'pause_turn', usage: { searches: 2 } }, { web: true });
    const caller = { type: 'direct' };
    assert.deepEqual(reply.content, [text, { ...call, caller }, { ...results, caller }, { ...page, caller }]);
    assert.deepEqual([reply.stop, reply.usage.searches], ['pause_turn', 2]);
  });

  for (const stop of ['end_turn', 'refusal', 'pause_turn', 'max_tokens']) {
    it(`keeps the stop ${stop}`, async () => {
      assert.equal((await ask({ content: [text], stop })).reply.stop, stop);
    });
  }

  it('reads a full context window as the token limit, and a stop sequence as an end', async () => {
    assert.equal((await ask({ content: [text], stop: 'model_context_window_exceeded' })).reply.stop, 'max_tokens');
    await peer?.close();
    assert.equal((await ask({ content: [text], stop: 'stop_sequence' })).reply.stop, 'end_turn');
  });

  it('is returned at once, even if the server keeps the connection open', async () => {
    const server = await serving({ answer: scripted({ content: [bash], holdOpen: true }) });
    const model = createAnthropic({ apiKey: 'k-1', baseURL: server.url, idleTimeoutMs: 60_000 });
    const reply = await model.ask(request, () => {}, new AbortController().signal);
    assert.deepEqual(reply.content, [bash]);
  });

  it('has no global timeout: a request outlives the idle timeout while pings arrive', async () => {
    const { reply } = await ask({ content: [text], pings: { everyMs: idleTimeoutMs / 3, count: 5 } });
    assert.deepEqual(reply.content, [text]);
  });

  describe('of a gateway that leaves something out', () => {
    const usage = { input: 40, output: 77, cacheRead: 900, cacheWrite: 60 };
    const told = { input: 40, cacheRead: 900, cacheWrite: 60 };
    const inputs = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'];
    const least = 91;
    const long: WireBlock = { type: 'text', text: 'ä'.repeat(70) };
    const without =
      (type: string, ...names: string[]) =>
      (frames: string[]): string[] =>
        frames.map((frame) => (frame.includes(`"type":"${type}"`) ? withoutFields(frame, names) : frame));
    const rows: { it: string; content?: WireBlock[]; remade: (frames: string[]) => string[]; used: AskReply['usage'] }[] = [
      { it: 'the output at the end', remade: without('message_delta', 'output_tokens'), used: { ...told, output: least } },
      { it: 'all usage at the end', remade: without('message_delta', 'usage'), used: { ...told, output: least } },
      {
        it: 'all usage at the end of one that thought',
        content: [thinking, long],
        remade: without('message_delta', 'usage'),
        used: { ...told, output: 1000 },
      },
      { it: 'all usage at its start', remade: without('message_start', 'usage'), used: usage },
      { it: 'its model', remade: without('message_start', 'model'), used: usage },
      { it: 'the whole message at its start', remade: without('message_start', 'message'), used: usage },
      {
        it: 'all usage at both ends',
        remade: (frames) => without('message_start', 'usage')(without('message_delta', 'usage')(frames)),
        used: worstCase(request),
      },
      {
        it: 'its input',
        remade: (frames) => without('message_start', 'usage')(without('message_delta', ...inputs)(frames)),
        used: { ...worstCase(request), output: 77 },
      },
      { it: 'its first event', remade: (frames) => frames.slice(1), used: usage },
      {
        it: 'its input at the end, where it has a zero for it',
        remade: (frames) => without('message_delta', ...inputs.slice(1))(frames.map((frame) => zeroAtEnd(frame, 'input_tokens'))),
        used: usage,
      },
    ];
    for (const { it: what, content = [long], remade, used } of rows)
      it(`is whole without ${what}, and counts what was told, or what it may have used at most`, async () => {
        const { reply } = await ask({ content, usage, remade });
        assert.deepEqual([reply.content, reply.usage, reply.model], [content, used, request.model]);
      });
  });

  it('has whole calls where a gateway says only that it ended', async () => {
    const { reply } = await ask({ content: [text, bash], stop: 'end_turn' });
    assert.deepEqual([reply.content, reply.stop], [[text, bash], 'tool_use']);
  });

  it('can have calls without input', async () => {
    const { reply } = await ask({ content: [{ type: 'tool_use', id: 'a', name: 'status', json: '' }] });
    assert.deepEqual(reply.content, [{ type: 'tool_use', id: 'a', name: 'status', input: {} }]);
  });
});

describe('a failure of the Messages API', () => {
  const outcomes: [what: string, answer: Answer, kind: string][] = [
    ['a wrong key', { status: 401, type: 'authentication_error' }, 'authentication'],
    ['no permission', { status: 403, type: 'permission_error' }, 'authentication'],
    ['a refused request', { status: 400, type: 'invalid_request_error' }, 'request'],
    ['a request too large', { status: 413, body: '<html>too large</html>' }, 'size'],
    ['a rate limit', { status: 429, type: 'rate_limit_error' }, 'rate-limited'],
    ['an overloaded API', { status: 529, type: 'overloaded_error' }, 'overloaded'],
    ['a broken gateway', { status: 502, body: '' }, 'overloaded'],
    ['a connection reset before the answer', { status: 'reset' }, 'connection'],
    ['an API that never answers', { status: 'silence' }, 'stalled'],
    ['a stream that stalls', { content: [text, bash], breaks: { after: 600, by: 'stall' } }, 'stalled'],
    ['a stream that stalls before its first byte', { content: [bash], breaks: { after: 0, by: 'stall' } }, 'stalled'],
    ['a stream that is reset', { content: [text, bash], breaks: { after: 600, by: 'reset' } }, 'cut'],
    ['a stream that ends early', { content: [text, bash], breaks: { after: 600, by: 'end' } }, 'cut'],
    ['a stream that ends empty', { content: [text], breaks: { after: 0, by: 'end' } }, 'connection'],
    ['a stream that ends in its first event', { content: [text], breaks: { after: 60, by: 'end' } }, 'cut'],
    ['an error in place of a reply', { content: [bash], breaks: { after: 0, by: 'error', type: 'api_error' } }, 'overloaded'],
    ['an error of no known type in its place', { content: [bash], breaks: { after: 0, by: 'error', type: 'odd' } }, 'overloaded'],
    ['an error in the stream', { content: [bash], breaks: { after: 4, by: 'error', type: 'api_error' } }, 'cut'],
    ['overload in the stream', { content: [bash], breaks: { after: 4, by: 'error', type: 'overloaded_error' } }, 'overloaded'],
    ['a rate limit in the stream', { content: [bash], breaks: { after: 1, by: 'error', type: 'rate_limit_error' } }, 'rate-limited'],
    ['an unknown stop', { content: [text], stop: 'bored' }, 'request'],
    ['a call whose input is not JSON', { content: [{ type: 'tool_use', id: 'a', name: 'bash', json: '{"command":"rm' }] }, 'cut'],
    ['a call whose input is no object', { content: [{ type: 'tool_use', id: 'a', name: 'bash', json: '[1]' }] }, 'cut'],
  ];
  for (const [what, answer, kind] of outcomes) {
    it(`has the kind "${kind}" for ${what}, and is not retried`, async () => {
      const error = await failure(answer);
      assert.deepEqual([error.kind, peer?.requests.length], [kind, 1], error.message);
      assert.equal(error.message.includes('k-1'), false);
    });
  }

  const usage = { input: 40, output: 77, cacheRead: 900, cacheWrite: 60 };
  const told = { input: 40, cacheRead: 900, cacheWrite: 60 };
  const long: WireBlock = { type: 'text', text: 'ä'.repeat(70) };
  /** Frames of all blocks, with the first one. */
  const upTo = (...content: WireBlock[]): number => framesOf({ content, usage }, 'm').length - 2;
  const most = worstCase({ ...request, web: true });
  const cuts: { it: string; content: WireBlock[]; after: number; web?: boolean; used: AskReply['usage'] | undefined }[] = [
    { it: 'nothing was told', content: [text], after: 0, used: undefined },
    { it: 'only the input was told', content: [text], after: 1, used: { ...told, output: 1 } },
    { it: 'text arrived', content: [long, bash], after: upTo(long), used: { ...told, output: 91 } },
    { it: 'a call arrived', content: [bash], after: upTo(bash), used: { ...told, output: 62 } },
    { it: 'it thought, of which only a summary is shown', content: [thinking, text], after: 3, used: { ...told, output: 1000 } },
    { it: 'all was told', content: [thinking, text], after: upTo(thinking, text) + 1, used: usage },
    { it: 'it may have read the web', content: [text], after: upTo(text), web: true, used: most },
    { it: 'all was told of one that read the web', content: [text], after: upTo(text) + 1, web: true, used: usage },
  ];
  for (const { it: what, content, after, web = false, used } of cuts)
    for (const type of ['api_error', 'overloaded_error', 'rate_limit_error', 'billing_error'])
      it(`tells what it used where ${what}, before an ${type}`, async () => {
        const failed = await ask({ content, usage, breaks: { after, by: 'error', type } }, { web }).catch((error: unknown) => error);
        assert.ok(failed instanceof RetryableModelError || failed instanceof TerminalModelError);
        assert.deepEqual(failed.used, used);
      });

  it('used nothing where no reply began, so that no kind is left that counts as the most', async () => {
    for (const breaks of [
      { after: 0, by: 'end' },
      { after: 0, by: 'reset' },
      { after: 0, by: 'error', type: 'api_error' },
    ] as const) {
      const failed = await failure({ content: [text], breaks });
      await peer?.close();
      assert.ok(
        failed instanceof RetryableModelError && failed.kind !== 'cut' && failed.kind !== 'stalled',
        `${breaks.by}: ${failed.kind}`,
      );
      assert.equal(failed.used, undefined);
    }
  });

  it('tells what a whole reply used whose end it does not know', async () => {
    const failed = await failure({ content: [text], usage, stop: 'bored' });
    assert.ok(failed instanceof TerminalModelError);
    assert.deepEqual(failed.used, usage);
  });

  it('tells what it used where the connection broke or stalled', async () => {
    for (const by of ['reset', 'end', 'stall'] as const) {
      const failed = await failure({ content: [long], usage, breaks: { after: 600, by } });
      await peer?.close();
      assert.ok(failed instanceof RetryableModelError && failed.used, by);
      assert.deepEqual({ ...failed.used, output: 0 }, { ...usage, output: 0 });
      assert.ok(failed.used.output >= 1 && failed.used.output <= 91);
    }
  });

  it('used the most that it may where zeros stand in the place of its input', async () => {
    const breaks = { after: 3, by: 'error', type: 'overloaded_error' } as const;
    const failed = await failure({ content: [text], usage: { input: 0, output: 9 }, breaks });
    assert.deepEqual(failed.used, worstCase(request));
  });

  it('has the kind "stalled" where only pings come for too long, whatever keeps the connection alive', async () => {
    const only = scripted({ content: [], remade: () => [ping], pings: { everyMs: 50, count: 60 } });
    const server = await serving({ answer: only });
    const model = createAnthropic({ apiKey: 'k-1', baseURL: server.url, eventTimeoutMs: 300 });
    const failed: unknown = await model.ask(request, () => {}, new AbortController().signal).catch((error: unknown) => error);
    assert.ok(failed instanceof RetryableModelError);
    assert.deepEqual([failed.kind, failed.message], ['stalled', 'No part of a reply came from the API for 0.3 s.']);
  });

  it('keeps the wait that the API asks for', async () => {
    for (const status of [429, 529]) {
      const error = await failure({ status, headers: { 'retry-after-ms': '10' } });
      await peer?.close();
      assert.equal(error instanceof RetryableModelError && error.retryAfterMs, 10);
    }
  });

  it('has the kind "connection" for a closed port and an unknown host', async () => {
    const port = await closedPort();
    for (const baseURL of [`http://127.0.0.1:${port}`, 'http://nowhere.invalid']) {
      const asking = createAnthropic({ apiKey: 'k-1', baseURL }).ask(request, () => {}, new AbortController().signal);
      await assert.rejects(asking, (error) => error instanceof RetryableModelError && error.kind === 'connection');
    }
  });

  it('comes within the idle timeout when the stream stalls', async () => {
    const start = performance.now();
    await failure({ content: [text], breaks: { after: 300, by: 'stall' } });
    const took = performance.now() - start;
    assert.ok(took >= idleTimeoutMs - 5 && took < idleTimeoutMs + 10_000, `${took} ms`);
  });

  it('is an interruption when the request is cancelled: before, while waiting or in the middle', async () => {
    const cancelled = (error: unknown): boolean => error instanceof Interruption && error.reason === 'cancelled';
    await assert.rejects(ask({ content: [text] }, {}, AbortSignal.abort()), (error) => cancelled(error) && paidBy(error) === undefined);
    assert.equal(peer?.requests.length, 0);
    for (const answer of [{ status: 'silence' }, { content: [text], breaks: { after: 300, by: 'stall' } }] satisfies Answer[]) {
      await peer?.close();
      await assert.rejects(ask(answer, {}, AbortSignal.timeout(30)), cancelled);
    }
  });

  it('may have used all that it may where it is cancelled before anything is told, or while it reads the web', async () => {
    const unanswered = await ask({ status: 'silence' }, {}, AbortSignal.timeout(100)).catch(paidBy);
    await peer?.close();
    assert.deepEqual(unanswered, worstCase(request));
    const server = await serving({ answer: scripted({ content: [text, bash], breaks: { after: 1000, by: 'stall' } }) });
    const [stop, web] = [new AbortController(), { ...request, web: true }];
    const asking = createAnthropic({ apiKey: 'k-1', baseURL: server.url }).ask(web, () => stop.abort(), stop.signal);
    assert.deepEqual(await asking.catch(paidBy), worstCase(web));
  });

  it('is an interruption that says what was used where it is cancelled in the middle: that is paid', async () => {
    const paid = { input: 5, cacheRead: 900, cacheWrite: 40 };
    const server = await serving({
      answer: scripted({ content: [text, bash], usage: { ...paid, output: 77 }, breaks: { after: 1000, by: 'stall' } }),
    });
    const stop = new AbortController();
    const asking = createAnthropic({ apiKey: 'k-1', baseURL: server.url }).ask(request, () => stop.abort(), stop.signal);
    const error = await asking.then(
      () => assert.fail('it was cancelled'),
      (failed: unknown) => failed,
    );
    assert.ok(error instanceof Interruption && error.used);
    const { output, ...input } = error.used;
    assert.deepEqual(input, paid);
    assert.ok(output > 0 && output <= request.maxTokens, String(output));
  });

  it('does not hide the token limit: the unfinished call is dropped, the stop stays', async () => {
    const half: WireBlock = { type: 'tool_use', id: 'b', name: 'bash', json: '{"command":"rm -rf build","dry_run' };
    const { reply } = await ask({ content: [thinking, text, bash, half], stop: 'max_tokens' });
    assert.deepEqual([reply.content, reply.stop], [[thinking, text, bash], 'max_tokens']);
  });

  it('at the token limit drops unsigned thinking, because it cannot be sent back', async () => {
    const { reply } = await ask({ content: [{ type: 'thinking', thinking: 'half a', signature: '' }], stop: 'max_tokens' });
    assert.deepEqual([reply.content, reply.stop], [[], 'max_tokens']);
  });

  it('comes before anything is sent for an unusable endpoint or key', () => {
    assert.throws(() => createAnthropic({ apiKey: 'k-1', baseURL: 'nonsense' }), InputError);
    assert.throws(() => createAnthropic({ apiKey: '' }), InputError);
  });
});

/** The frame without these fields, wherever they stand in it. */
function zeroAtEnd(frame: string, name: string): string {
  return frame.includes('"type":"message_delta"') ? frame.replace(new RegExp(`"${name}":\\d+`), `"${name}":0`) : frame;
}

function withoutFields(frame: string, names: readonly string[]): string {
  const [head = '', data = ''] = frame.split('data: ');
  return `${head}data: ${JSON.stringify(JSON.parse(data, (name, value: unknown) => (names.includes(name) ? undefined : value)))}\n\n`;
}

const paidBy = (error: unknown): AskReply['usage'] | undefined => (error instanceof Interruption ? error.used : assert.fail(String(error)));

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
