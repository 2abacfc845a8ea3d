/** How a program's conversation is taken apart into turns, by a port that a test plays. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { RetryableModelError, TerminalModelError } from '../../../src/engine/ground/errors.ts';
import type { AskReply, AskRequest, Message, ToolResult } from '../../../src/engine/ground/messages.ts';
import type { ProgramListener, ProgramStart } from '../../../src/engine/ground/programs.ts';
import { createProgramModel } from '../../../src/models/programs/program-model.ts';

const toolsUrl = 'http://127.0.0.1:1/mcp';

interface Started {
  start: ProgramStart;
  listener: ProgramListener;
  isStopped: boolean;
  hasOldLogin: boolean;
  /** Ids of calls for which the program does not wait any more. */
  withdrawn: string[];
  /** What each call was answered, in order. */
  answers: Parameters<Parameters<ProgramListener['call']>[0]['answer']>[0][];
  call(id: string, input: unknown): void;
  says(text: string): void;
}

function world(idleMs = 5000) {
  const started: Started[] = [];
  const model = createProgramModel('claude-code', {
    toolsUrl,
    idleMs,
    port: {
      start(start, listener) {
        const one: Started = {
          start,
          listener,
          isStopped: false,
          hasOldLogin: false,
          withdrawn: [],
          answers: [],
          call: (id, input) =>
            listener.call({
              id,
              name: 'bash',
              input,
              isWithdrawn: () => one.withdrawn.includes(id),
              answer: (answer) => one.answers.push(answer),
            }),
          says: (text) => listener.line(event({ type: 'content_block_delta', delta: { type: 'text_delta', text } })),
        };
        started.push(one);
        return { end: () => void (one.isStopped = true), hasOldLogin: () => one.hasOldLogin };
      },
    },
  });
  const ask = (messages: Message[], more: Partial<AskRequest> = {}): Promise<AskReply> =>
    model.ask({ ...request, ...more, messages }, () => undefined, new AbortController().signal);
  return { model, started, ask };
}

const event = (inner: object): string => JSON.stringify({ type: 'stream_event', event: inner });
const go: Message = { role: 'user', content: [{ type: 'text', text: 'Go' }] };
const said = ({ content }: AskReply): Message => ({ role: 'assistant', content });
const showed = (...results: [id: string, text: string][]): Message => ({
  role: 'user',
  content: results.map(([id, content]): ToolResult => ({ type: 'tool_result', tool_use_id: id, content })),
});

const request: Omit<AskRequest, 'messages'> = {
  role: 'builder',
  purpose: 'execute/T1#1',
  turn: 1,
  model: 'claude-code:opus',
  maxTokens: 1000,
  system: 'You build.',
  tools: [{ name: 'bash', description: 'Runs a command', inputSchema: { type: 'object' } }],
};

const at = <T>(list: readonly T[], n: number): T => {
  const one = list.at(n);
  assert.ok(one !== undefined, `there is no ${n}`);
  return one;
};

describe("a program's conversation", () => {
  it('is one program as long as the results of its calls come back', async () => {
    const { started, ask } = world();
    const first = ask([go]);
    at(started, 0).says('I look. ');
    at(started, 0).call('c1', { command: 'ls' });
    at(started, 0).call('c2', { command: 'pwd' });
    const reply = await first;
    assert.equal(reply.stop, 'tool_use');
    assert.deepEqual(reply.content, [
      { type: 'text', text: 'I look. ' },
      { type: 'tool_use', id: 'c1', name: 'bash', input: { command: 'ls' } },
      { type: 'tool_use', id: 'c2', name: 'bash', input: { command: 'pwd' } },
    ]);
    const words = { type: 'text' as const, text: 'The person says: hurry.' };
    const results = showed(['c1', 'a.txt'], ['c2', '/work']);
    const second = ask([go, said(reply), { ...results, content: [...results.content, words] } as Message]);
    assert.equal(started.length, 1);
    assert.deepEqual(at(started, 0).answers, [
      { content: [{ type: 'text', text: 'a.txt' }] },
      { content: [{ type: 'text', text: '/work' }, words] },
    ]);
    at(started, 0).says('Done.');
    at(started, 0).listener.ended(0, '');
    assert.deepEqual(await second, {
      content: [{ type: 'text', text: 'Done.' }],
      stop: 'end_turn',
      usage: (await second).usage,
      model: 'claude-code:opus',
    });
  });

  it('is told what was said and done, where the program is not there any more', async () => {
    const { started, ask } = world();
    const before: Message[] = [
      go,
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'c1', name: 'bash', input: { command: 'ls' } },
        ],
      },
      showed(['c1', 'a.txt']),
    ];
    const asking = ask(before);
    const { input } = at(started, 0).start;
    const { message } = JSON.parse(input) as { message: { content: { text: string }[] } };
    const text = message.content[0]?.text ?? '';
    for (const part of [
      'You are in the middle of this conversation',
      'Go',
      'I look.',
      '[call c1] bash {"command":"ls"}',
      '[call c1 showed]\na.txt',
    ])
      assert.ok(text.includes(part), part);
    at(started, 0).says('Fine.');
    at(started, 0).listener.ended(0, '');
    assert.equal((await asking).stop, 'end_turn');
  });

  it('ends with the program when another session begins, and when the run is over', async () => {
    const { model, started, ask } = world();
    const first = ask([go]);
    at(started, 0).call('c1', {});
    await first;
    const second = ask([{ role: 'user', content: [{ type: 'text', text: 'Another session' }] }]);
    assert.deepEqual([started.length, at(started, 0).isStopped, at(started, 1).isStopped], [2, true, false]);
    at(started, 1).call('c2', {});
    await second;
    model.close?.();
    assert.equal(at(started, 1).isStopped, true);
  });

  it('begins anew where what came before is not what it said, or the model is another one', async () => {
    for (const more of [{ model: 'claude-code:sonnet' }, { system: 'You judge.' }, {}]) {
      const { started, ask } = world();
      const first = ask([go]);
      at(started, 0).call('c1', {});
      const reply = await first;
      const other: Message = 'model' in more || 'system' in more ? go : { role: 'user', content: [{ type: 'text', text: 'Go on' }] };
      void ask([other, said(reply), showed(['c1', 'x'])], more).catch(() => undefined);
      assert.equal(started.length, 2, JSON.stringify(more));
      assert.deepEqual(at(started, 0).answers, []);
    }
  });

  it('counts what the program tells, and what it could be at most where it tells nothing', async () => {
    const { started, ask } = world();
    const first = ask([go]);
    at(started, 0).listener.line(
      event({
        type: 'message_start',
        message: { usage: { input_tokens: 10, cache_read_input_tokens: 20, cache_creation_input_tokens: 5 } },
      }),
    );
    at(started, 0).listener.line(event({ type: 'message_delta', usage: { output_tokens: 7 } }));
    at(started, 0).call('c1', {});
    assert.deepEqual((await first).usage, { input: 10, output: 7, cacheRead: 20, cacheWrite: 5 });
    const other = world();
    const second = other.ask([go]);
    at(other.started, 0).call('c1', {});
    assert.ok((await second).usage.input > 50);
  });

  it('counts what it could be at most where zeros stand in the place of what was used', async () => {
    const zeros = { input_tokens: 0, output_tokens: 0 };
    const { started, ask } = world();
    const asking = ask([go]);
    at(started, 0).listener.line(event({ type: 'message_start', message: { usage: zeros } }));
    at(started, 0).says('I look.');
    at(started, 0).listener.line(event({ type: 'message_delta', usage: zeros }));
    at(started, 0).call('c1', {});
    const { input, output } = (await asking).usage;
    assert.ok(input > 50 && output >= 4, `${input} in, ${output} out`);
  });

  it('waits until a message is whole, and leaves out what it began anew or withdrew', async () => {
    const { started, ask } = world();
    const asking = ask([go]);
    const line = (inner: object): void => at(started, 0).listener.line(event(inner));
    const begun = { type: 'message_start', message: { usage: { input_tokens: 10 } } };
    line(begun);
    at(started, 0).says('I loo');
    at(started, 0).call('c1', {});
    line(begun);
    at(started, 0).withdrawn.push('c1');
    at(started, 0).says('I look.');
    at(started, 0).call('c2', {});
    await new Promise((resolve) => setTimeout(resolve, 150));
    at(started, 0).call('c3', {});
    line({ type: 'message_stop' });
    const { content, usage } = await asking;
    const shown = content.map((block) => (block.type === 'tool_use' ? block.id : block.type === 'text' ? block.text : ''));
    assert.deepEqual([shown, usage.input], [['I look.', 'c2', 'c3'], 20]);
  });

  it('has its calls in the model’s order, however they arrive, and waits for each that was told', async () => {
    const { started, ask } = world();
    const asking = ask([go]);
    const line = (inner: object): void => at(started, 0).listener.line(event(inner));
    line({ type: 'message_start', message: { usage: { input_tokens: 10 } } });
    for (const id of ['c1', 'c2', 'c3']) line({ type: 'content_block_start', content_block: { type: 'tool_use', id } });
    line({ type: 'message_stop' });
    at(started, 0).call('c3', {});
    at(started, 0).call('c1', {});
    await new Promise((resolve) => setTimeout(resolve, 150));
    at(started, 0).call('c2', {});
    const ids = (await asking).content.map((block) => (block.type === 'tool_use' ? block.id : ''));
    assert.deepEqual(ids, ['c1', 'c2', 'c3']);
  });

  it('takes the whole text where none came in pieces', async () => {
    const { started, ask } = world();
    const asking = ask([go]);
    at(started, 0).listener.line(JSON.stringify({ type: 'result', is_error: false, result: 'Done.' }));
    at(started, 0).listener.ended(0, '');
    assert.deepEqual((await asking).content, [{ type: 'text', text: 'Done.' }]);
  });

  it('tells what a try used that failed, and does not try again what would fail again', async () => {
    const { started, ask } = world();
    const asking = ask([go]);
    at(started, 0).listener.line(event({ type: 'message_start', message: { usage: { input_tokens: 10 } } }));
    at(started, 0).listener.line(JSON.stringify({ type: 'result', is_error: true, result: 'API Error: 529 Overloaded' }));
    await assert.rejects(asking, (error) => error instanceof RetryableModelError && error.used?.input === 10);
    const other = world();
    const refused = other.ask([go]);
    at(other.started, 0).listener.line(JSON.stringify({ type: 'result', is_error: true, result: 'Prompt is too long' }));
    await assert.rejects(refused, (error) => error instanceof TerminalModelError && error.kind === 'request');
  });

  it('says what to do where the program cannot be run at all, and does not try it again', async () => {
    for (const [exit, output] of [
      [127, '/usr/bin/env: ‘node’: No such file or directory'],
      [126, 'bash: claude: Permission denied'],
      [1, "error: unknown option '--system-prompt-file'"],
      [2, "error: unexpected argument '--ephemeral' found\n\nUsage: codex exec"],
    ] as const) {
      const { started, ask } = world();
      const asking = ask([go]);
      at(started, 0).listener.ended(exit, output);
      await assert.rejects(
        asking,
        (error) =>
          error instanceof TerminalModelError && /cannot be run here/.test(error.message) && error.next.startsWith('Update it, and'),
        output,
      );
    }
  });

  it('counts the most that a message may write which it has not told the end of', async () => {
    const begun = { type: 'message_start', message: { usage: { input_tokens: 10 } } };
    const whole = [event({ type: 'message_delta', usage: { output_tokens: 7 } }), event({ type: 'message_stop' })];
    const limit = JSON.stringify({ type: 'result', is_error: true, result: "You've hit your usage limit" });
    const overload = JSON.stringify({ type: 'result', is_error: true, result: 'API Error: 529 Overloaded' });
    const long = event({ type: 'content_block_delta', delta: { type: 'text_delta', text: 'x'.repeat(2001) } });
    for (const { lines, used } of [
      { lines: [event(begun), long], used: { input: 10, output: 1000 } },
      { lines: [event(begun), overload], used: { input: 10, output: 1000 } },
      { lines: [event(begun)], used: { input: 10, output: 1000 } },
      { lines: [event(begun), ...whole, limit], used: { input: 10, output: 7 } },
      { lines: [event(begun), event(begun), ...whole, limit], used: { input: 20, output: 1007 } },
    ]) {
      const { started, ask } = world(50);
      const asking = ask([go]);
      for (const line of lines) at(started, 0).listener.line(line);
      const told = await asking.then(
        ({ usage }) => usage,
        (error: unknown) => (error instanceof RetryableModelError || error instanceof TerminalModelError ? error.used : undefined),
      );
      assert.deepEqual(told, { cacheRead: 0, cacheWrite: 0, ...used }, lines.at(-1));
    }
  });

  it('is tried again with the login that the person has by now, and stops where that is refused, too', async () => {
    const { started, ask } = world();
    const refused = JSON.stringify({ type: 'result', is_error: true, result: 'API Error: 401 authentication_error' });
    const first = ask([go]);
    at(started, 0).hasOldLogin = true;
    at(started, 0).listener.line(refused);
    await assert.rejects(first, (error) => error instanceof RetryableModelError && error.kind === 'connection');
    const second = ask([go]);
    assert.deepEqual([started.length, at(started, 0).isStopped], [2, true]);
    at(started, 1).listener.line(refused);
    await assert.rejects(second, (error) => error instanceof TerminalModelError && error.kind === 'authentication');
  });

  it('may be tried again where nothing comes, and where the program breaks', async () => {
    const quiet = world(20);
    await assert.rejects(quiet.ask([go]), (error) => error instanceof RetryableModelError && error.kind === 'stalled');
    assert.equal(at(quiet.started, 0).isStopped, true);
    const { started, ask } = world();
    const asking = ask([go]);
    at(started, 0).listener.ended(137, 'Killed');
    await assert.rejects(asking, /Claude Code could not answer: it ended with 137: Killed/);
  });

  it('stops with a next step where the login or the plan of the person does not do', async () => {
    for (const [result, next] of [
      ['Not logged in · Please run /login', /Run `claude` in a terminal/],
      ["You've hit your usage limit", /Resume when the limit is renewed/],
    ] as const) {
      const { started, ask } = world();
      const asking = ask([go]);
      at(started, 0).listener.line(JSON.stringify({ type: 'result', is_error: true, result }));
      await assert.rejects(
        asking,
        (error) => error instanceof TerminalModelError && error.kind === 'authentication' && next.test(error.next),
      );
    }
  });
});
