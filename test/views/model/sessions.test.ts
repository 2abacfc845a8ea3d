import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AskReply } from '../../../src/engine/ground/messages.ts';
import type { Draft, Event } from '../../../src/engine/state/events.ts';
import { tank } from '../../../src/engine/state/fuel.ts';
import { sessionsIn, sessionText } from '../../../src/views/model/sessions.ts';
import { begun, ended, opening, ref, start } from './sample.ts';

const payloads: Record<string, string> = {};
const get = async (key: string): Promise<string> => payloads[key] ?? Promise.reject(new Error('missing'));

function kept(digit: string, value: unknown): string {
  payloads[ref(digit)] = typeof value === 'string' ? value : JSON.stringify(value);
  return ref(digit);
}

const request = (digit: string, text: string): string =>
  kept(digit, {
    system: 'You build.',
    tools: ['bash'],
    model: 'claude-x',
    messages: [{ role: 'user', content: [{ type: 'text', text }] }],
  });
const reply = (digit: string, content: AskReply['content']): string =>
  kept(digit, { content, stop: 'tool_use', usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 }, model: 'claude-x' });
const ask = (turn: number, digit: string): Draft => ({
  type: 'step.begun',
  step: { id: `5/a${turn}`, kind: 'ask', request: digit, role: 'builder', purpose: 'execute/T2#1', turn },
  burns: [tank('turns', '5')],
});
const journal = (...drafts: Draft[]): Event[] => [opening, ...drafts].map((draft, n) => ({ ...draft, n, owner: 1, at: start + n * 1000 }));

const command = { command: 'npm test\necho "```"' };
const first: Draft[] = [
  begun('5', 'execute', 'T2', 'its dependencies are done'),
  ask(0, request('1', '# Build T2\nWrite a parser.')),
  {
    ...ended('5/a0'),
    result: reply('2', [
      { type: 'text', text: '# I look\nat it.' },
      { type: 'tool_use', id: 'c', name: 'bash', input: command },
    ]),
  } as Draft,
  { type: 'step.begun', step: { id: '5/a0/c1', kind: 'call', tool: 'bash' }, burns: [tank('calls', '5')] },
];
const rest: Draft[] = [
  { ...ended('5/a0/c1'), result: kept('3', '1 passing\n````\n## not a heading'), exit: 0 } as Draft,
  ask(1, request('4', 'Report now.')),
  // A try that failed, and the next one.
  { ...ended('5/a1'), outcome: 'failed', why: 'overloaded' } as Draft,
  ask(1, request('4', 'Report now.')),
  { ...ended('5/a1'), result: reply('5', [{ type: 'text', text: 'Done.' }]) } as Draft,
  ended('5'),
];

describe('sessions', () => {
  it('are listed with the newest first, without decisions that no agent worked on', () => {
    const events = journal(...first, ...rest, begun('6', 'run-verifications'), ended('6'), begun('7', 'fix', 'F1'), {
      ...ask(0, ref('1')),
      step: { id: '7/a0', kind: 'ask', request: ref('1'), role: 'fixer', purpose: 'fix/F1#1', turn: 0 },
    } as Draft);
    assert.deepEqual(
      sessionsIn(events).map(({ step, words, role, turns, outcome }) => [step, words, role, turns, outcome]),
      [
        ['7', 'Mending a failed verification: F1', 'Fixer', 1, 'under way'],
        ['5', 'Building: T2', 'Builder', 2, 'done'],
      ],
    );
  });

  it('are read as turns, calls and results', async () => {
    const text = (await sessionText(journal(...first, ...rest), '5', get, ['Builder thinks'])) ?? '';
    const headings = text.split('\n').filter((line) => /^#+ /.test(line));
    assert.deepEqual(headings, [
      '# Building: T2',
      '## Beginning',
      '### What it was told',
      '# Build T2',
      '## Turn 1 · 1970-01-01 00:16:42',
      '### runs a command: npm test · exit status 0 · 1.0 s',
      '## not a heading',
      '## Turn 2 · 1970-01-01 00:16:46',
    ]);
    assert.match(text, /^Builder · claude-x · 1970-01-01 00:16:41 · 2 turns · done$/m);
    assert.match(text, /Why: Its dependencies are done\./i);
    assert.match(text, /^> # I look\n> at it\.$/m);
    assert.match(text, /command:\n\n````text\nnpm test\necho "```"\n````/);
    assert.match(text, /Result:\n\n`````text\n1 passing\n````\n## not a heading\n`````/);
    assert.match(text, /Loop said:\n\n```text\nReport now\.\n```\n\n> Done\.\n$/);
    assert.doesNotMatch(text, /thinks/, 'what is done now stands in a session that is over');
  });

  it('grow: each event only adds to the end, below what stands there', async () => {
    let before = '';
    for (let n = 2; n <= first.length + rest.length; n++) {
      const text = (await sessionText(journal(...[...first, ...rest].slice(0, n)), '5', get, [])) ?? '';
      const turns = [...before.matchAll(/^## Turn .*$/gm)].map(String);
      for (const turn of turns) assert.ok(text.includes(turn), turn);
      assert.ok(text.length > 0);
      before = text;
    }
    const open = (await sessionText(journal(...first), '5', get, ['runs a command: npm test'])) ?? '';
    assert.match(open, /· 1 turn · under way$/m);
    assert.match(open, /### runs a command: npm test · under way$/m);
    assert.match(open, /## Now\n\n- runs a command: npm test\n$/);
    const asked = (await sessionText(journal(...first.slice(0, 2)), '5', get, [])) ?? '';
    assert.match(asked, /The model has not answered yet\./);
  });

  it('show what is left where a text is missing, and nothing of another session', async () => {
    const none = async (): Promise<string> => Promise.reject(new Error('gone'));
    const text = (await sessionText(journal(...first, ...rest), '5', none, [])) ?? '';
    assert.equal(text.match(/missing from \.loop\/payloads/g)?.length, 3);
    assert.equal(await sessionText(journal(...first), '9', get, []), undefined);
  });

  it('tell the time of the person’s clock', async () => {
    const { TZ } = process.env;
    process.env['TZ'] = 'Asia/Tokyo';
    try {
      const text = await sessionText(journal(...first), '5', get, []);
      const there = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Tokyo', dateStyle: 'short', timeStyle: 'medium' });
      assert.ok(text?.includes(`## Turn 1 · ${there.format(start + 2000)}\n`), text);
    } finally {
      if (TZ === undefined) delete process.env['TZ'];
      else process.env['TZ'] = TZ;
    }
  });
});
