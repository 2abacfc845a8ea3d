/** The person's word: on disk at once, read by the sessions where it belongs, and never more than guidance (I7, I11). */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { rebuild } from '../../../src/engine/agents/rebuild.ts';
import { session } from '../../../src/engine/agents/session.ts';
import { actions, table } from '../../../src/engine/actions/table.ts';
import { decide } from '../../../src/engine/core/decide.ts';
import { fold } from '../../../src/engine/core/fold.ts';
import { InputError } from '../../../src/engine/ground/errors.ts';
import type { Hears } from '../../../src/engine/ground/prompts.ts';
import { ending } from '../../../src/engine/judge/ending.ts';
import { wordsFor } from '../../../src/engine/judge/words-for.ts';
import { tellAgents } from '../../../src/engine/person/tell.ts';
import { saidLines } from '../../../src/engine/render/said.ts';
import type { Subject } from '../../../src/engine/work/word.ts';
import { longestWord, longestWords } from '../../../src/engine/work/word-limits.ts';
import type { ActionId } from '../../../src/engine/state/rows.ts';
import { calls, says, world, type World } from '../../support/fakes.ts';
import type { Story } from '../support/events.ts';
import * as p from '../support/parts.ts';
import { again, building, play, reported, spec, staged } from '../support/play.ts';

const report = calls(['report_task_complete', reported]);
const sprint: Subject = { kind: 'sprint' };
const word = (id: string, words: string, about: Subject = sprint) => ({ fact: 'word.said', word: { id, words, about } }) as const;
/** All texts that the last turn sent, in order. */
function sent(w: World): string[] {
  const { messages } = w.model.asked.at(-1) ?? { messages: [] };
  return messages.flatMap((m) => m.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])));
}
const times = (w: World, text: string): number => sent(w).join('\n').split(text).length - 1;

describe('a word', () => {
  it('is on disk at once, while an action is open, and survives a crash', async () => {
    const w = world();
    const { kernel } = building(w);
    await tellAgents(kernel, { words: ' Use tabs.\nAlways. ', about: 'T1' });
    const [kept] = fold(w.journal.events).ledger.words;
    assert.deepEqual([kept?.id, kept?.words, kept?.about], ['W1', 'Use tabs.\nAlways.', { kind: 'task', id: 'T1' }]);
  });

  it('is quoted at the end of the next prompt, once', async () => {
    const w = world({ answers: [says('thinking'), report] });
    await session(building(w, p.awaiting().said(word('W1', 'Use tabs.\nAlways.'))).context, spec);
    assert.equal(times(w, 'Use tabs.'), 1);
    assert.match(sent(w)[1] ?? '', /^The person says, on the way:\n\nAbout the whole sprint:\n\n> Use tabs\.\n> Always\.\n\n/);
  });

  it('reaches a running session with the results of its calls, once', async () => {
    const w = world({ answers: [calls(['bash', { command: 'true' }]), calls(['bash', { command: 'true' }]), report] });
    const { kernel, context } = building(w);
    const { ask } = w.ports.model;
    w.ports.model.ask = async (request, onText, signal) => {
      if (request.turn === 1) await tellAgents(kernel, { words: 'Use tabs.', about: '' });
      return ask.call(w.ports.model, request, onText, signal);
    };
    await session(context, spec);
    const content = w.model.asked[1]?.messages.at(-1)?.content.map(({ type }) => type);
    assert.deepEqual(content, ['tool_result', 'text']);
    assert.equal(times(w, 'Use tabs.'), 1, 'not again in the third turn');
    assert.deepEqual(kernel.state.ledger.words[0]?.readIn, [context.open.id]);
  });

  it('is not said twice by a session that is rebuilt after a crash', async () => {
    const w = world({ answers: [calls(['bash', { command: 'true' }]), report] });
    const first = building(w, p.awaiting().said(word('W1', 'Use tabs.')));
    w.journal.crashAt = w.journal.events.length + 2;
    await assert.rejects(session(first.context, spec));
    const { context } = await again(w);
    await session(context, spec);
    assert.equal(times(w, 'Use tabs.'), 1);
    const { words } = await rebuild(context.open, w.payloads);
    assert.deepEqual(words, ['W1']);
  });

  const about: Record<string, Subject> = {
    sprint,
    task: { kind: 'task', id: 'T1' },
    'another task': { kind: 'task', id: 'T2' },
    requirement: { kind: 'requirement', id: '1' },
    'another requirement': { kind: 'requirement', id: '2' },
    verification: { kind: 'verification', id: 'value/total', lineage: 'value/total' },
  };
  const cases: { row: ActionId; target: string; hears: Hears; gets: string[] }[] = [
    { row: 'execute', target: 'T1', hears: 'own', gets: ['sprint', 'task', 'requirement'] },
    { row: 'fix', target: 'value/total', hears: 'own', gets: ['sprint', 'task', 'requirement', 'verification'] },
    { row: 'service-fix', target: 'api', hears: 'own', gets: ['sprint'] },
    { row: 'course-correct', target: '', hears: 'all', gets: Object.keys(about) },
    { row: 'vrc', target: '', hears: 'none', gets: [] },
  ];
  for (const { row, target, hears, gets } of cases)
    it(`belongs in the prompt of ${row} ${target} only where it is about ${gets.join(', ') || 'nothing'}`, () => {
      const story = p.awaiting().act('plan', { fact: 'task.added', task: p.task({ id: 'T2', prdSection: ['2'] }) });
      for (const [id, subject] of Object.entries(about)) story.said(word(id, `About ${id}`, subject));
      story.begin(row, target);
      assert.deepEqual(
        wordsFor(story.state, hears).map(({ id }) => id),
        gets,
      );
    });

  it('reaches nobody who judges', () => {
    const names = readdirSync('prompts').filter((name) => /^hears: /m.test(readFileSync(`prompts/${name}`, 'utf8')));
    const judges = ['evaluation', 'review-declaration', 'review-suite', 'triage', 'vrc', 'vrc-quick', 'write-hidden'];
    assert.ok(names.includes('execute.md'));
    assert.deepEqual(
      judges.filter((name) => names.includes(`${name}.md`)),
      [],
    );
  });

  it('changes no work, no fuel, no decision and no ending', () => {
    const told = p.awaiting().said(word('W1', 'value/total is green. Deliver.'));
    const untold = p.awaiting();
    assert.deepEqual(told.state.work, untold.state.work);
    assert.deepEqual(told.state.ledger.burned, untold.state.ledger.burned);
    assert.deepEqual(decide(told.state, table), decide(untold.state, table));
    assert.deepEqual(ending(told.state), ending(untold.state));
    assert.deepEqual(actions.final.due(told.state), []);
  });

  it('stands in the report with the sessions that read it', async () => {
    const w = world({ answers: [report] });
    const { kernel, context } = building(w, p.awaiting().said(word('W1', 'Use tabs.'), word('W2', 'Later.', { kind: 'task', id: 'T9' })));
    await session(context, spec);
    assert.deepEqual(saidLines(kernel.state), [
      `- W1, about the whole sprint, after ${kernel.state.ledger.words[0]?.decisions} decisions: “Use tabs.” read in one session: Building T1.`,
      `- W2, about task T9, after ${kernel.state.ledger.words[1]?.decisions} decisions: “Later.” taken, and read by no session yet.`,
    ]);
  });

  it('is redacted when it contains a secret', async () => {
    const w = await staged(world(), p.awaiting());
    const key = `sk-ant-${'a1B2'.repeat(8)}`;
    await tellAgents(play(w).kernel, { words: `Use ${key}.`, about: '' });
    assert.ok(!JSON.stringify(w.journal.events).includes(key));
  });

  const clash = (): Story => p.awaiting().act('plan', { fact: 'task.added', task: p.task({ id: '1' }) });
  const refused: { what: string; story?: () => Story; words?: string; about?: string; message: RegExp }[] = [
    { what: 'is empty', words: ' \n', message: /no word was given\. Say it/ },
    { what: 'is too long', words: 'x'.repeat(longestWord + 1), message: /^That is 2001 characters long; a word has at most 2000/ },
    {
      what: 'is more than a sprint holds',
      story: () =>
        p.awaiting().said(...Array.from({ length: longestWords / longestWord }, (_, n) => word(`W${n}`, 'x'.repeat(longestWord)))),
      message: /^All that you said to this sprint would be 20003 characters long/,
    },
    { what: 'is about nothing that there is', about: 'T9', message: /^There is no task, requirement or verification T9 .* tasks: T1/ },
    { what: 'is about an inherited property', about: 'constructor', message: /^There is no .* constructor/ },
    { what: 'is about a verification by a task’s id', about: 'verification T1', message: /^There is no verification T1/ },
    { what: 'is about one of two', story: clash, about: '1', message: /^1 is a task and a requirement\. Say which: “task 1”/ },
  ];
  for (const { what, story = () => p.awaiting(), words = 'yes', about: subject = '', message } of refused)
    it(`is refused where it ${what}, and nothing is recorded`, async () => {
      const w = await staged(world(), story());
      const lines = w.journal.events.length;
      const error = await tellAgents(play(w).kernel, { words, about: subject }).catch((thrown: unknown) => thrown);
      assert.ok(error instanceof InputError);
      assert.match(`${error.message} ${error.next}`, message);
      assert.equal(w.journal.events.length, lines);
    });

  it('is about the one that is named with its kind', async () => {
    const w = await staged(world(), clash());
    const said = await tellAgents(play(w).kernel, { words: 'yes', about: 'requirement 1' });
    assert.deepEqual(said.about, { kind: 'requirement', id: '1' });
  });
});
