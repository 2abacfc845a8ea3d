import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { AskReply, AskRequest, Message, ToolResult, ToolUse } from '../../src/engine/ground/messages.ts';
import { Interruption, TerminalModelError } from '../../src/engine/ground/errors.ts';
import type { Clock, Model } from '../../src/engine/ports.ts';
import { createAnthropic } from '../../src/models/anthropic.ts';
import { pricesOf } from '../../src/models/prices.ts';
import { createRecorded, type RecordedOptions } from '../../src/models/recorded.ts';
import { fromRecording, startMessagesServer, type Peer } from '../peers/messages-server.ts';

const text = `recording: 1
sessions:
  - role: builder
    purpose: execute/T1#2
    turns:
      - text: Second attempt.
  - role: builder
    purpose: execute/T1
    turns:
      - text: I look, and then I write the file that the task asks for.
        calls: [{ bash: { command: ls } }, { write_file: { path: a } }, { bash: { command: cat a } }]
        usage: { output: 300 }
      - calls: [{ report_task: { summary: done } }]
  - role: builder
    purpose: execute/*
    turns:
      - text: Any task.
      - text: And again.
        repeat: true
  - role: fixer
    purpose: fix/cli/t*l#1
    turns: [{ text: Fixed. }]
`;

function recorded(options?: RecordedOptions): Model {
  return createRecorded({ name: 'demo.yaml', text }, options);
}

function requestFor(purpose: string, messages: Message[] = [], role = 'builder'): AskRequest {
  const first: Message = { role: 'user', content: [{ type: 'text', text: 'Go' }] };
  const model = 'claude-opus-5-5';
  return { role, purpose, turn: 1, model, maxTokens: 100, system: '', tools: [], messages: [first, ...messages] };
}

function ask(request: AskRequest, model = recorded()): Promise<AskReply> {
  return model.ask(request, () => {}, new AbortController().signal);
}

const textOf = (reply: AskReply): string => reply.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
const callsOf = (reply: AskReply): ToolUse[] => reply.content.filter((block): block is ToolUse => block.type === 'tool_use');
const assistant = (reply: AskReply): Message => ({ role: 'assistant', content: reply.content });

/** The message with these results for the calls of a reply, in order. */
function resultsFor(reply: AskReply, ...texts: string[]): Message {
  const content = callsOf(reply).map(({ id }, index): ToolResult => ({
    type: 'tool_result',
    tool_use_id: id,
    content: texts[index] ?? 'ok',
  }));
  return { role: 'user', content };
}

describe('the recorded model', () => {
  it('plays the turn for the role, the purpose and the number of messages', async () => {
    const first = await ask(requestFor('execute/T1#1'));
    assert.deepEqual(
      callsOf(first).map(({ name, input }) => [name, input]),
      [
        ['bash', { command: 'ls' }],
        ['write_file', { path: 'a' }],
        ['bash', { command: 'cat a' }],
      ],
    );
    assert.deepEqual([first.stop, first.model, first.usage.output], ['tool_use', 'claude-opus-5-5', 300]);
    assert.ok(first.usage.input > 5 && first.usage.input < 60);
    const second = await ask(requestFor('execute/T1#1', [assistant(first), resultsFor(first)]));
    assert.deepEqual(
      callsOf(second).map(({ name }) => name),
      ['report_task'],
    );
  });

  it('uses the first session that matches and has the turn', async () => {
    const plain: Message[] = [
      { role: 'assistant', content: [{ type: 'text', text: 'x' }] },
      { role: 'user', content: [{ type: 'text', text: 'y' }] },
    ];
    const at = async (purpose: string, turns: number, role?: string): Promise<string> =>
      textOf(await ask(requestFor(purpose, Array.from({ length: turns }, () => plain).flat(), role)));
    assert.equal(await at('execute/T1#2', 0), 'Second attempt.');
    assert.match(await at('execute/T1#3', 0), /^I look/);
    assert.equal(await at('execute/T1#2', 2), 'And again.');
    assert.equal(await at('execute/T2#1', 0), 'Any task.');
    assert.equal(await at('execute/T2#1', 7), 'And again.');
    assert.equal(await at('fix/cli/total#1', 0, 'fixer'), 'Fixed.');
  });

  it('gives the same ids for the same request, and different ids within a session', async () => {
    const first = await ask(requestFor('execute/T1#1'));
    assert.deepEqual(await ask(requestFor('execute/T1#1')), first);
    const second = await ask(requestFor('execute/T1#1', [assistant(first), resultsFor(first)]));
    const ids = [...callsOf(first), ...callsOf(second)].map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    for (const id of ids) assert.match(id, /^[\w-]+$/);
  });

  it('goes on after a hand-over, whose replies are no longer sent', async () => {
    const request = requestFor('execute/T1#1');
    assert.deepEqual(
      callsOf(await ask({ ...request, turn: 2 })).map(({ name }) => name),
      ['report_task'],
    );
  });

  it('repeats only the interrupted calls until they are done, and then goes on', async () => {
    const first = await ask(requestFor('execute/T1#1'));
    const history = [assistant(first), resultsFor(first, 'ok', '[interrupted] Look.', '[not run] Before.')];
    const again = await ask(requestFor('execute/T1#1', history));
    const shape = (reply: AskReply): unknown[] => callsOf(reply).map(({ name, input }) => [name, input]);
    assert.deepEqual(shape(again), [
      ['write_file', { path: 'a' }],
      ['bash', { command: 'cat a' }],
    ]);
    history.push(assistant(again), resultsFor(again, 'ok', '[not run] Before.'));
    const third = await ask(requestFor('execute/T1#1', history));
    assert.deepEqual(shape(third), [['bash', { command: 'cat a' }]]);
    history.push(assistant(third), resultsFor(third));
    const next = await ask(requestFor('execute/T1#1', history));
    assert.deepEqual(shape(next), [['report_task', { summary: 'done' }]]);
    const ids = [first, again, third, next].flatMap(callsOf).map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
  });

  it('makes a report again that came too early, where the recording says nothing more', async () => {
    const early = '[not taken] In the same reply a command ended with exit status 1.';
    const first = await ask(requestFor('execute/T1#1'));
    const history = [assistant(first), resultsFor(first, 'ok', 'ok', early)];
    for (let time = 1; time <= 2; time += 1) {
      const report = await ask(requestFor('execute/T1#1', history));
      assert.deepEqual(
        callsOf(report).map(({ name, input }) => [name, input]),
        [['report_task', { summary: 'done' }]],
        `${time}`,
      );
      history.push(assistant(report), resultsFor(report, early));
    }
  });

  it('recognizes an interruption mark only at the start of a result', async () => {
    const first = await ask(requestFor('execute/T1#1'));
    const next = await ask(requestFor('execute/T1#1', [assistant(first), resultsFor(first, 'it said [interrupted]')]));
    assert.deepEqual(
      callsOf(next).map(({ name }) => name),
      ['report_task'],
    );
  });

  it('reports a missing turn, and the line of a similar session', async () => {
    const assertMissing = async (request: AskRequest, message: RegExp): Promise<void> =>
      assert.rejects(
        ask(request),
        (error) => error instanceof TerminalModelError && error.kind === 'recording' && message.test(error.message),
      );
    await assertMissing(
      requestFor('fix/cli/total#2', [], 'fixer'),
      /^demo\.yaml has no turn 1 for fixer fix\/cli\/total#2\. Line 20: fixer fix\/cli\/t\*l#1 \(1 turn\)/,
    );
    await assertMissing(requestFor('plan/#1', [], 'planner'), /no turn 1 for planner plan\/#1\. Line \d+: /);
    await assertMissing(requestFor('fix/cli/total#11', [], 'fixer'), /no turn 1/);
  });

  it('has the prices of the requested model, where it has any', () => {
    assert.deepEqual(recorded().prices('claude-opus-5-5'), pricesOf('claude-opus-5-5'));
    for (const name of ['codex:gpt-5', 'claude-code:opus', 'editor:copilot/gpt']) assert.equal(recorded().prices(name), undefined, name);
  });

  it('shows its text in pieces at the given pace, until cancelled', async () => {
    const slept: number[] = [];
    const clock: Clock = { now: () => 0, sleep: async (ms) => void slept.push(ms) };
    const shown: string[] = [];
    const stop = new AbortController();
    const model = recorded({ pace: { ms: 300, clock } });
    const whole = await model.ask(requestFor('execute/T1#1'), (piece) => shown.push(piece), stop.signal);
    assert.equal(shown.join(''), textOf(whole));
    assert.deepEqual(slept, [100, 100, 100]);
    const cancelled = model.ask(requestFor('execute/T1#1'), () => stop.abort(), stop.signal);
    await assert.rejects(cancelled, (error) => error instanceof Interruption && error.reason === 'cancelled');
    assert.equal(slept.length, 5);
  });
});

describe('a recording behind the Messages API', () => {
  let peer: Peer | undefined;
  afterEach(() => peer?.close());

  it('gives the real client the same answers as the engine', async () => {
    peer = await startMessagesServer({ answer: fromRecording(recorded()) });
    const client = createAnthropic({ apiKey: 'k-1', baseURL: peer.url });
    const history: Message[] = [];
    for (let turn = 0; turn < 2; turn++) {
      const request = requestFor('execute/T1#1', history);
      const direct = await ask(request);
      const reply = await ask(request, client);
      assert.deepEqual([reply.content, reply.stop], [direct.content, direct.stop]);
      history.push(assistant(reply), resultsFor(reply));
    }
    await assert.rejects(ask(requestFor('nothing/#1', [], 'nobody'), client), /no turn 1 for nobody nothing\/#1/);
  });
});
