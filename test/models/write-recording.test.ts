/** A recording that is written from a journal: all turns, no secrets, readable by the recorded model. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { StoredRequest } from '../../src/engine/agents/ask.ts';
import type { AskReply, Message } from '../../src/engine/ground/messages.ts';
import type { Event } from '../../src/engine/state/events.ts';
import { parseRecording } from '../../src/models/recording.ts';
import { recordingOf, requestsOf, turnsIn } from '../../src/models/write-recording.ts';

const usage = { input: 10, output: 5, cacheRead: 1, cacheWrite: 2 };
const reply = (content: AskReply['content'], stop: AskReply['stop']): AskReply => ({ content, stop, usage, model: 'm' });
const key = `sk-ant-${'a1B2'.repeat(10)}`;

const replies: Record<string, AskReply> = {
  first: reply(
    [
      { type: 'thinking', thinking: 'hm' },
      { type: 'text', text: `I use ${key}.` },
      { type: 'tool_use', id: 'x', name: 'write_file', input: { path: 'a', content: 'one\ntwo: "three"\n' } },
      { type: 'tool_use', id: 'y', name: 'bash', input: { command: key } },
    ],
    'tool_use',
  ),
  cut: reply([{ type: 'text', text: 'I was' }], 'max_tokens'),
  last: reply([{ type: 'text', text: 'Done.' }], 'end_turn'),
};

const user = (...content: Extract<Message, { role: 'user' }>['content']): Message => ({ role: 'user', content });
const request = (messages: Message[]): StoredRequest => ({
  system: 'Documents. '.repeat(10),
  tools: ['write_check', 'bash'],
  model: 'm',
  messages,
});
const requests: Record<string, StoredRequest> = {
  prompt: request([user({ type: 'text', text: `Do it with ${key} in /tmp/loop-x1/repo.` })]),
  results: request([
    user(
      { type: 'tool_result', tool_use_id: 'x', content: 'wrote it' },
      { type: 'tool_result', tool_use_id: 'y', content: 'ran it' },
      { type: 'text', text: 'The person says: go on' },
    ),
  ]),
};

const line = { n: 1, owner: 1, at: 1 };
const asked = (id: string, purpose: string, turn = 1): Event => ({
  ...line,
  type: 'step.begun',
  step: { id, kind: 'ask', request: turn === 1 ? 'prompt' : 'results', role: 'builder', purpose, turn },
  burns: [],
});
const answered = (id: string, result: string): Event => ({ ...line, type: 'step.ended', id, outcome: 'done', result, facts: [] });

describe('a recording of a sprint', () => {
  const events: Event[] = [
    asked('s1/a1', 'execute/T1#1'),
    { ...line, type: 'step.ended', id: 's1/a1', outcome: 'failed', why: 'overloaded', facts: [] },
    // Its next try.
    asked('s1/a1', 'execute/T1#1'),
    answered('s1/a1', 'first'),
    asked('s2/a1', 'execute/T2#1'),
    answered('s2/a1', 'last'),
    asked('s1/a2', 'execute/T1#1', 2),
    answered('s1/a2', 'cut'),
    asked('s1/a3', 'execute/T1#1', 3),
  ];
  const get = (ref: string): Promise<string> => Promise.resolve(JSON.stringify(replies[ref] ?? requests[ref]));
  const written = async (): Promise<string> => recordingOf(await turnsIn(events, { get }));

  it('has each turn that was answered, by session, as it was', async () => {
    const { sessions } = parseRecording({ name: 'r.yaml', text: await written() }, () => '');
    assert.deepEqual(
      sessions.map(({ purpose, turns }) => [purpose, turns.length]),
      [
        ['execute/T1#1', 2],
        ['execute/T2#1', 1],
      ],
    );
    const [first, cut] = sessions[0]?.turns ?? [];
    assert.deepEqual(first?.calls, [
      { name: 'write_file', input: { path: 'a', content: 'one\ntwo: "three"\n' } },
      { name: 'bash', input: { command: '[redacted]' } },
    ]);
    assert.deepEqual(first?.usage, usage);
    assert.deepEqual([first?.stop, cut?.stop], [undefined, 'max_tokens']);
  });

  it('has beside it what was asked in each turn, also in one without an answer, by parts, whatever a tool was called then', async () => {
    const { ending, tools, asked: all } = requestsOf(await turnsIn(events, { get }), 'partial');
    assert.deepEqual([ending, Object.keys(tools)], ['partial', ['bash', 'write_verification']]);
    assert.deepEqual(
      all.map(({ purpose, turn }) => [purpose, turn]),
      [
        ['execute/T1#1', 1],
        ['execute/T2#1', 1],
        ['execute/T1#1', 2],
        ['execute/T1#1', 3],
      ],
    );
    const stable = { model: 'm', system: 'Documents. '.repeat(10), tools: 'write_verification\nbash' };
    assert.deepEqual(all[0]?.parts, { ...stable, prompt: 'Do it with [redacted] in <folder>/repo.' });
    const results = { 'result of write_file': 'wrote it', 'result of bash': 'ran it', words: 'The person says: go on' };
    assert.deepEqual(all[2]?.parts, { ...stable, ...results });
  });

  it('has no secret', async () => {
    const text = await written();
    assert.match(text, /I use \[redacted\]\./);
    assert.ok(!text.includes(key));
  });
});
