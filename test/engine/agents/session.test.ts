/** One agent session: it runs until a report is accepted, reminds once, then ends silent. After a crash it is rebuilt from the disk (I2, I13). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { mostRead } from '../../../src/engine/agents/cost.ts';
import type { AskReply, AskRequest } from '../../../src/engine/ground/messages.ts';
import { rebuild } from '../../../src/engine/agents/rebuild.ts';
import { roles } from '../../../src/engine/ground/roles.ts';
import type { Context } from '../../../src/engine/context.ts';
import { session } from '../../../src/engine/agents/session.ts';
import { Interruption, RetryableModelError, TerminalModelError } from '../../../src/engine/ground/errors.ts';
import { spentOf, tank } from '../../../src/engine/state/fuel.ts';
import { actionTanks } from '../../../src/engine/state/tanks.ts';
import { promptText } from '../../../src/engine/ground/prompts.ts';
import { toolsNamed } from '../../../src/engine/tools/registry.ts';
import type { SessionSpec } from '../../../src/engine/agents/spec.ts';
import { specOf } from '../../../src/engine/tools/tool.ts';
import { calls, says, world, type World } from '../../support/fakes.ts';
import { Story } from '../support/events.ts';
import * as p from '../support/parts.ts';
import { awaiting } from '../support/parts.ts';
import { again, building, reported, spec } from '../support/play.ts';

const actionOf = (id: string) => ({
  id,
  kind: 'action' as const,
  decision: { action: 'execute' as const, target: 'T1', why: '', burns: [], behind: [] },
});

const user = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] });
const results = (...content: object[]) => ({ role: 'user', content: content.map((block) => ({ type: 'tool_result', ...block })) });
const assistant = (reply: { content: unknown }) => ({ role: 'assistant', content: reply.content });
const report = calls(['report_task_complete', reported]);
const reminder = promptText('reminder');

describe('a session', () => {
  it('sends its stable part unchanged, and ends with the accepted report', async () => {
    const w = world({ answers: [report] });
    const { context, kernel } = building(w);
    assert.deepEqual(await session(context, spec), { end: 'reported' });
    const { effort, maxTokens } = roles.builder;
    assert.deepEqual(w.model.asked, [
      {
        role: 'builder',
        purpose: 'execute/T1#1',
        turn: 1,
        model: kernel.state.config.models.execution,
        effort,
        maxTokens,
        system: 'You build.',
        tools: spec.tools.map(specOf),
        messages: [user('Do T1.')],
      },
    ]);
    assert.deepEqual(kernel.state.work.tasks['T1']?.status, 'reported');
    assert.equal(kernel.state.ledger.spend.calls, 1);
  });

  it('keeps its model where the person chose another one meanwhile, and the next session has that', async () => {
    const w = world({ answers: [calls(['read_file', { path: 'a' }]), new Interruption('cancelled', 'stopped'), report] });
    const story = awaiting();
    const { context, kernel } = building(w, story);
    const { models } = kernel.state.config;
    await assert.rejects(session(context, spec), Interruption);
    const other = { ...models, execution: 'editor:copilot/gpt' };
    const at = w.journal.events.at(-1)?.n ?? 0;
    w.journal.events.push({ n: at + 1, owner: 1, at: 0, type: 'person.said', facts: [{ fact: 'models.chosen', models: other }] });
    const resumed = await again(w);
    assert.deepEqual(resumed.kernel.state.config.models, other);
    assert.deepEqual(await session(resumed.context, spec), { end: 'reported' });
    assert.deepEqual([...new Set(w.model.asked.map(({ model }) => model))], [models.execution]);
    await resumed.kernel.append({ type: 'step.ended', id: resumed.context.open.id, outcome: 'done', facts: [] });
    await resumed.kernel.append({ type: 'step.begun', step: actionOf('s99'), burns: [tank('sprint')] });
    w.model.answers.push(says('no'), says('no'));
    await session(resumed.context, spec);
    assert.equal(w.model.asked.at(-1)?.model, 'editor:copilot/gpt');
  });

  it('ends where its model lets nobody in any more and the person chose another one, so that the next session has that', async () => {
    const used = new TerminalModelError('The limit is reached.', 'authentication', 'Choose another model.');
    const w = world({ answers: [calls(['read_file', { path: 'a' }]), used, used] });
    const { context, kernel } = building(w, awaiting());
    await assert.rejects(session(context, spec), TerminalModelError, 'nobody chose another one yet');
    const other = { ...kernel.state.config.models, execution: 'codex:gpt-5' };
    const at = w.journal.events.at(-1)?.n ?? 0;
    w.journal.events.push({ n: at + 1, owner: 1, at: 0, type: 'person.said', facts: [{ fact: 'models.chosen', models: other }] });
    const resumed = await again(w);
    assert.deepEqual(await session(resumed.context, spec), { end: 'silent', why: 'The limit is reached.' });
  });

  it('counts what has no price in tokens only', async () => {
    const w = world({ answers: [report] });
    w.ports.model = Object.assign(w.model, { prices: () => undefined });
    const { context, kernel } = building(w);
    await session(context, spec);
    const { usd, unpriced, calls: asked } = kernel.state.ledger.spend;
    assert.deepEqual([usd, unpriced, asked], [0, 110, 1]);
  });

  it('sends the results in the order of the calls, and goes on', async () => {
    const first = calls(['write_file', { path: 'a', content: 'hello' }], ['read_file', { path: 'a' }]);
    const w = world({ answers: [first, report] });
    await session(building(w).context, spec);
    assert.deepEqual(w.model.asked[1]?.messages, [
      user('Do T1.'),
      assistant(first),
      results({ tool_use_id: 't1', content: 'Wrote a (5 characters).' }, { tool_use_id: 't2', content: 'hello' }),
    ]);
  });

  it('reminds the agent once of the report, then ends silent', async () => {
    const w = world({ answers: [says('done'), says('really')] });
    const end = await session(building(w).context, spec);
    assert.deepEqual(end, { end: 'silent', why: 'it stopped without a report, after a reminder' });
    assert.deepEqual(w.model.asked[1]?.messages, [user('Do T1.'), assistant(says('done')), user(reminder)]);
  });

  it('accepts a report after the reminder', async () => {
    const w = world({ answers: [says('done'), report] });
    assert.deepEqual(await session(building(w).context, spec), { end: 'reported' });
  });

  it('reminds only once, also with calls in between', async () => {
    const w = world({ answers: [says('a'), calls(['bash', { command: 'true' }]), says('b')] });
    assert.equal((await session(building(w).context, spec)).end, 'silent');
    assert.equal(w.model.asked.length, 3);
  });

  it('does not end with a refused report', async () => {
    const w = world({ answers: [calls(['report_task_complete', { ...reported, task_id: 'T9' }]), report] });
    assert.deepEqual(await session(building(w).context, spec), { end: 'reported' });
    const refusal = { tool_use_id: 't1', content: 'This session is about task T1, not T9.', is_error: true };
    assert.deepEqual(w.model.asked[1]?.messages.at(-1), results(refusal));
  });

  it('ends when its turns are used up, after running the last calls', async () => {
    const { turns } = roles.fixer;
    const w = world({ answers: Array.from({ length: turns }, (_, i) => calls(['write_file', { path: 'n', content: `${i}` }])) });
    const { context, kernel } = building(w);
    const end = await session(context, { ...spec, role: 'fixer' });
    assert.deepEqual(end, { end: 'silent', why: `it used all of its ${turns} turns` });
    assert.equal(w.repo.files['n'], String(turns - 1));
    assert.equal(spentOf(kernel.state.ledger, tank('turns', context.open.id)), turns);
  });

  it('ends when its action has made all its model calls, whatever its role allows', async () => {
    const w = world({ answers: [report] });
    const { context, kernel } = building(w);
    const burns = Array.from({ length: actionTanks.turns }, () => tank('turns', context.open.id));
    const effect = { name: 'install', key: '', detail: '' };
    await kernel.append({ type: 'step.begun', step: { id: 'other', kind: 'effect', effect }, burns });
    assert.equal((await session(context, spec)).end, 'silent');
    assert.equal(w.model.asked.length, 0);
  });

  for (const stop of ['max_tokens', 'refusal', 'end_turn', 'pause_turn'] as const)
    it(`runs no call of a reply that stopped with ${stop}`, async () => {
      const cut = { ...calls(['write_file', { path: 'a', content: 'half' }], ['report_task_complete', reported]), stop };
      const w = world({ answers: [cut, report] });
      assert.deepEqual(await session(building(w).context, spec), { end: 'reported' });
      const content = `Not run: the reply ended with ${stop}. Make the call again, shorter.`;
      const both = ['t1', 't2'].map((id) => ({ tool_use_id: id, content, is_error: true }));
      assert.deepEqual(w.model.asked[1]?.messages.at(-1), results(...both));
      assert.deepEqual(w.repo.files, {});
    });

  /** The most that a builder's reply may have, used up before its call was whole. */
  const cutAt = (content: AskReply['content'] = []): AskReply => ({
    ...says(''),
    content,
    stop: 'max_tokens',
    usage: { input: 100, output: 16_384, cacheRead: 0, cacheWrite: 0 },
  });
  const write = (path: string): AskReply => calls(['write_file', { path, content: '1' }]);

  it('tells an agent whose reply was cut before a call was whole, and reminds it afterwards as before', async () => {
    const w = world({ answers: [write('a'), cutAt(), cutAt([{ type: 'text', text: 'Now big.' }]), says('done'), report] });
    assert.deepEqual(await session(building(w).context, spec), { end: 'reported' });
    const told = w.model.asked.map(({ messages }) =>
      messages
        .at(-1)
        ?.content.map((block) => (block.type === 'text' ? block.text : ''))
        .join(),
    );
    const shorter = promptText('cut-reply', { tokens: '16384' });
    assert.deepEqual(told.slice(2), [shorter, shorter, reminder]);
    assert.match(shorter, /cut at 16384 tokens.*in parts/);
  });

  it('ends at the third cut reply in a row, also after a crash between them; a call in between begins anew', async () => {
    const w = world({ answers: [cutAt(), cutAt(), write('a'), cutAt(), cutAt(), new Interruption('cancelled', 'stopped'), cutAt()] });
    await assert.rejects(session(building(w).context, spec), Interruption);
    const why = '3 replies in a row were cut at the limit of tokens, before a call in them was whole';
    assert.deepEqual(await session((await again(w)).context, spec), { end: 'silent', why });
    assert.equal(w.model.asked.length, 7);
  });

  it('continues after a pause of the provider’s tools without adding a message', async () => {
    const searching = { type: 'server_tool_use' as const, id: 's1', name: 'web_search', input: { query: 'q' } };
    const paused = {
      ...says('Let me look.', 'pause_turn'),
      content: [{ type: 'text' as const, text: 'Let me look.' }, searching],
    };
    const w = world({ answers: [paused, report] });
    assert.deepEqual(await session(building(w).context, spec), { end: 'reported' });
    assert.deepEqual(w.model.asked[1]?.messages.slice(1), [{ role: 'assistant', content: paused.content }]);
  });

  const refused = (kind: TerminalModelError['kind'], why = 'The account is used up') => new TerminalModelError(why, kind, 'Add credit.');

  for (const kind of ['request', 'authentication', 'recording'] as const)
    it(`stops the sprint where its first call is refused (${kind}), and goes on with that call`, async () => {
      const w = world({ answers: [refused(kind), report] });
      await assert.rejects(session(building(w).context, spec), { name: 'TerminalModelError', message: 'The account is used up' });
      assert.deepEqual(await session((await again(w)).context, spec), { end: 'reported' });
    });

  it('ends silent where a later call is refused, and stops the sprint where a later call is let in no more', async () => {
    const first = calls(['read_file', { path: 'a' }]);
    const w = world({ answers: [first, refused('request')] });
    assert.deepEqual(await session(building(w).context, spec), { end: 'silent', why: 'The account is used up' });
    for (const kind of ['authentication', 'recording'] as const) {
      const other = world({ answers: [first, refused(kind)] });
      await assert.rejects(session(building(other).context, spec), TerminalModelError);
    }
  });

  it('ends silent where its first call is too large, by what the API says or by what the model can read', async () => {
    const said = world({ answers: [refused('size')] });
    assert.equal((await session(building(said).context, spec)).end, 'silent');
    const counted = world({ answers: [refused('request')] });
    counted.model.tokens = 100;
    assert.equal((await session(building(counted).context, spec)).end, 'silent');
  });

  it('tells the person why it ended without a report, and that the model declined', async () => {
    const w = world({ answers: [says('No.', 'refusal'), says('No.')] });
    await session(building(w).context, spec);
    assert.deepEqual(
      w.progress.filter(({ kind }) => kind === 'note'),
      [
        { kind: 'note', text: 'The model declined to answer.' },
        { kind: 'note', text: 'The session of the builder ended without its report: it stopped without a report, after a reminder' },
      ],
    );
  });
});

describe('the budget', () => {
  it('ends the session before a call that could exceed it', async () => {
    const w = world({ answers: [] });
    const story = p.awaiting(p.planned(new Story({ budgetUsd: 0.1 })));
    const why = /^The next call could bring the sprint to \$0\.\d\d, over its budget of \$0\.10\.$/;
    const end = await session(building(w, story).context, spec);
    assert.ok(end.end === 'budget');
    const [fact] = end.facts;
    assert.ok(fact?.fact === 'budget.reached');
    assert.deepEqual([fact.what, end.facts.length, w.model.asked.length], ['money', 1, 0]);
    assert.match(fact.why, why);
  });

  it('counts tokens too', async () => {
    const w = world({ answers: [] });
    const end = await session(building(w, p.awaiting(p.planned(new Story({ budgetTokens: 17_000 })))).context, spec);
    assert.ok(end.end === 'budget' && end.facts[0]?.fact === 'budget.reached');
    assert.equal(end.facts[0].what, 'tokens');
  });

  it('ends the session when cut replies have used it up', async () => {
    const cut = (): Error => new RetryableModelError('cut', 'cut');
    const w = world({ answers: [cut(), cut(), cut()] });
    const end = await session(building(w, p.awaiting(p.planned(new Story({ budgetTokens: 40_000 })))).context, spec);
    assert.ok(end.end === 'budget' && end.facts[0]?.fact === 'budget.reached');
    assert.equal(w.model.asked.length, 2);
  });
});

/** Two replies with calls, a reminder and a report: they give every kind of journal line. */
const replies = () => [
  calls(['write_file', { path: 'a', content: '1' }], ['bash', { command: 'make' }], ['write_file', { path: 'b', content: '2' }]),
  says('done?'),
  calls(['edit_file', { path: 'a', old_string: '1', new_string: '12' }], ['report_task_complete', reported]),
];

/** A careful model's reply after a call was interrupted or not run. */
const carefulReply = calls(['write_file', { path: 'a', content: '12' }], ['report_task_complete', reported]);

async function conversation(w: World) {
  const { context } = await again(w);
  return (await rebuild(context.open, w.payloads)).messages;
}

describe('a session after a crash', () => {
  it('rebuilds the sent messages exactly, from a crash at any line', async () => {
    const whole = world({ answers: replies() });
    await session(building(whole).context, spec);
    const sent = whole.model.asked.at(-1)?.messages ?? [];
    const [first, last] = [p.awaiting().begin('execute').events.length, whole.journal.events.length];
    for (let cut = first; cut <= last; cut += 1) {
      const w = world();
      w.journal.events.push(...whole.journal.events.slice(0, cut));
      for (const [ref, text] of whole.payloads.texts) w.payloads.texts.set(ref, text);
      const rebuilt = await conversation(w);
      assert.deepEqual(rebuilt, [...sent, assistant(replies()[2] ?? says(''))].slice(0, rebuilt.length), `cut after ${cut}`);
    }
  });

  it('reaches the same end after a crash at any append, with every effect exactly once', async () => {
    const first = p.awaiting().begin('execute').events.length + 1;
    for (let crashAt = first; ; crashAt += 1) {
      const w = world({ answers: replies() });
      const { context } = building(w);
      w.journal.crashAt = crashAt;
      const ended = await session(context, spec).catch((error: unknown) => error);
      if (!(ended instanceof Interruption)) {
        assert.deepEqual(ended, { end: 'reported' });
        break;
      }
      w.model.answers.splice(0, Infinity, ...replies().slice(repliesOf(w)), carefulReply, carefulReply);
      const resumed = await again(w);
      assert.deepEqual(await session(resumed.context, spec), { end: 'reported' }, `crash at ${crashAt}`);
      assert.deepEqual([w.repo.files['a'], w.runner.jobs.length], ['12', 1], `crash at ${crashAt}`);
      assert.equal(resumed.kernel.state.work.tasks['T1']?.status, 'reported');
    }
  });

  it('repeats an unanswered ask, with the same step and no new fuel', async () => {
    const w = world({ answers: [report] });
    const { context, kernel } = building(w);
    w.journal.crashAt = kernel.state.n + 2;
    await assert.rejects(session(context, spec), Interruption);
    w.model.answers.push(report);
    const resumed = await again(w);
    assert.deepEqual(await session(resumed.context, spec), { end: 'reported' });
    assert.deepEqual(w.model.asked[1], w.model.asked[0]);
    assert.equal(resumed.kernel.state.ledger.burned.turns[context.open.id], 1);
  });

  it('does not send a second reminder', async () => {
    const w = world({ answers: [says('a'), says('b')] });
    const { context, kernel } = building(w);
    w.journal.crashAt = kernel.state.n + 4;
    await assert.rejects(session(context, spec), Interruption);
    w.model.answers.push(says('c'));
    const resumed = await again(w);
    assert.equal((await session(resumed.context, spec)).end, 'silent');
    assert.equal(w.model.asked.length, 3);
  });
});

describe('a session that nears the model’s window', () => {
  /** Three reads of 4,000 characters fill most of a window of 8,000 tokens, at two characters for a token. */
  const read = (n: number): AskReply => ({
    ...calls(),
    content: [{ type: 'tool_use', id: `r${n}`, name: 'read_file', input: { path: 'big' } }],
  });
  const big = 'x'.repeat(4000);
  const wrote = says('big holds 4,000 x. Next: report.');
  const window = 8000;

  /** The provider counts what it was sent. */
  const counted = (reply: AskReply) => (request: AskRequest) => ({ ...reply, usage: { ...reply.usage, input: mostRead(request) } });

  function longWorld(answers: readonly AskReply[]): World {
    const w = world({ files: { big }, answers: answers.map(counted) });
    w.model.tokens = window;
    return w;
  }

  const purposeOf = (request: AskRequest): string => {
    const texts = request.messages.at(-1)?.content.map((block) => (block.type === 'text' ? block.text : '')) ?? [];
    if (texts.includes(promptText('hand-over'))) return 'hand over';
    return request.messages.length === 1 && request.turn > 1 ? 'go on' : 'work';
  };

  it('hands over, and goes on from its prompt, that hand-over and what its calls showed', async () => {
    const w = longWorld([read(1), read(2), read(3), wrote, report]);
    assert.deepEqual(await session(building(w).context, spec), { end: 'reported' });
    assert.deepEqual(w.model.asked.map(purposeOf), ['work', 'work', 'work', 'hand over', 'go on']);
    const [opening] = w.model.asked.at(-1)?.messages ?? [];
    const text = opening?.content.map((block) => (block.type === 'text' ? block.text : '')).join('') ?? '';
    assert.ok(text.startsWith('Do T1.\n\n'), text);
    assert.ok(text.includes('big holds 4,000 x. Next: report.'), text);
    assert.equal(text.match(/^- read_file \{"path":"big"\} → x{300} … \(4000 characters\)$/gm)?.length, 2, text);
    assert.match(text, /^- .* … \(2020 characters\)$/m, 'the last one is not sent in full');
  });

  it('sends no more than the window, however much its calls show', async () => {
    const reads = calls(...Array.from({ length: 8 }, () => ['read_file', { path: 'big' }] as [string, unknown]));
    const rounds = Array.from({ length: 4 }, () => [reads, wrote]).flat();
    const w = longWorld([...rounds, report]);
    w.model.tokens = 20_000;
    assert.deepEqual(await session(building(w).context, spec), { end: 'reported' });
    assert.equal(w.model.asked.filter((request) => purposeOf(request) === 'hand over').length, 4);
    const shown = 4 * 8 * big.length;
    assert.ok(shown / 2 > 3 * w.model.tokens, 'three windows’ worth of results');
    for (const request of w.model.asked) assert.ok(mostRead(request) <= w.model.tokens, `turn ${request.turn}`);
  });

  it('does not count twice what a provider’s own tools read for one reply', async () => {
    const dear = { ...read(1), usage: { input: 1_000_000, output: 10, cacheRead: 0, cacheWrite: 0 } };
    const w = world({ files: { big }, answers: [dear, report] });
    assert.deepEqual(await session(building(w).context, spec), { end: 'reported' });
    assert.equal(w.model.asked.length, 2);
  });

  it('runs no call of the reply that is its hand-over, and goes on where that has no text', async () => {
    const stubborn = calls(['write_file', { path: 'a', content: '1' }]);
    const w = longWorld([read(1), read(2), read(3), stubborn, report]);
    assert.deepEqual(await session(building(w).context, spec), { end: 'reported' });
    assert.equal(w.repo.files['a'], undefined);
    assert.match(JSON.stringify(w.model.asked.at(-1)?.messages), /You wrote none\./);
  });

  it('goes on from its prompt as the state has it then, also after a crash at any append', async () => {
    const task = { description: 'Print the totals of a month', value: 'They are seen', acceptance: 'They are printed', prd_section: ['1'] };
    const add = calls(['manage_task', { action: 'add', task_id: 'N1', ...task }]);
    const answers = (): AskReply[] => [add, read(1), read(2), read(3), wrote, report];
    const planning = ({ state }: Context): SessionSpec => ({
      ...spec,
      tools: toolsNamed(['read_file', 'manage_task', 'report_task_complete']),
      prompt: () => `There are ${Object.keys(state.work.tasks).join(', ')}.`,
    });
    const asked = async (crashAt: number): Promise<AskRequest[]> => {
      const w = longWorld(answers());
      const { context } = building(w);
      w.journal.crashAt = crashAt;
      const ended = await session(context, planning(context)).catch((error: unknown) => error);
      if (!(ended instanceof Interruption)) return w.model.asked;
      w.model.answers.splice(0, Infinity, ...answers().slice(repliesOf(w)).map(counted));
      const resumed = await again(w);
      await session(resumed.context, planning(resumed.context));
      return w.model.asked;
    };
    const whole = await asked(Infinity);
    const openings = whole.map(({ messages }) => JSON.stringify(messages[0]?.content).match(/There are .*?\./)?.[0]);
    assert.deepEqual([...new Set(openings)], ['There are T1.', 'There are T1, N1.']);
    const first = p.awaiting().begin('execute').events.length + 1;
    for (let crashAt = first; crashAt < first + 14; crashAt += 1)
      assert.deepEqual((await asked(crashAt)).at(-1), whole.at(-1), `crash at ${crashAt}`);
  });

  it('lists its calls without splitting a character', async () => {
    const w = longWorld([read(1), read(2), read(3), wrote, report]);
    w.repo.files['big'] = `x${'😀'.repeat(2000)}`;
    await session(building(w).context, spec);
    assert.doesNotMatch(w.model.asked.map(({ messages }) => JSON.stringify(messages)).join(''), /\\ud[89a-f]/i);
    assert.match(JSON.stringify(w.model.asked.at(-1)?.messages), /→ x😀{149} …/u);
  });

  it('reaches the same end after a crash at any append, and sends the same', async () => {
    const answers = (): AskReply[] => [read(1), read(2), read(3), wrote, report];
    const whole = longWorld(answers());
    await session(building(whole).context, spec);
    const first = p.awaiting().begin('execute').events.length + 1;
    let crashes = 0;
    for (let crashAt = first; ; crashAt += 1, crashes += 1) {
      const w = longWorld(answers());
      const { context } = building(w);
      w.journal.crashAt = crashAt;
      const ended = await session(context, spec).catch((error: unknown) => error);
      if (!(ended instanceof Interruption)) break;
      w.model.answers.splice(0, Infinity, ...answers().slice(repliesOf(w)).map(counted));
      const resumed = await again(w);
      assert.deepEqual(await session(resumed.context, spec), { end: 'reported' }, `crash at ${crashAt}`);
      assert.deepEqual(w.model.asked.at(-1), whole.model.asked.at(-1), `crash at ${crashAt}`);
    }
    assert.ok(crashes >= 10, `${crashes} crashes`);
  });
});

function repliesOf(w: World): number {
  return w.journal.events.filter((e) => e.type === 'step.ended' && /\/a\d+$/.test(e.id)).length;
}
