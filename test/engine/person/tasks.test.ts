/** A person skips a task, or has it tried again: recorded at once, carried out between two decisions, and never a delivery (I1, I7). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { execute } from '../../../src/engine/actions/execute.ts';
import { fold } from '../../../src/engine/core/fold.ts';
import { InputError } from '../../../src/engine/ground/errors.ts';
import { ending } from '../../../src/engine/judge/ending.ts';
import { catchUpWithPerson } from '../../../src/engine/person/catch-up.ts';
import { isAnswered } from '../../../src/engine/person/human-actions.ts';
import { say, type Saying } from '../../../src/engine/person/say.ts';
import { standingTasks } from '../../../src/engine/picture/tasks.ts';
import { canBurn, tank } from '../../../src/engine/state/fuel.ts';
import { world } from '../../support/fakes.ts';
import type { Story } from '../support/events.ts';
import * as p from '../support/parts.ts';
import { again, play, staged } from '../support/play.ts';

const skip: Saying = { kind: 'skip', task: 'T1' };
const retry: Saying = { kind: 'retry', task: 'T1', hint: 'Mind the rounding.' };
const begunOn = (id: string) => {
  const decision = { action: 'execute' as const, target: 'T1', why: '', burns: [tank('sprint')], behind: [] };
  return { type: 'step.begun' as const, step: { id, kind: 'action' as const, decision }, burns: decision.burns };
};

describe('a skipped task', () => {
  it('is on disk at once, survives a crash, and is dropped before the next decision', async () => {
    const w = await staged(world(), p.awaiting());
    assert.match(await say(play(w).kernel, skip), /^T1 is dropped before the next decision\. What it serves \(1\) stays unproven/);
    assert.deepEqual(fold(w.journal.events).ledger.skipped, ['T1']);
    const { context, kernel } = await again(w);
    await catchUpWithPerson(context);
    assert.deepEqual(
      [kernel.state.work.tasks['T1']?.status, kernel.state.work.tasks['T1']?.dropped],
      ['descoped', 'the person skipped it'],
    );
    const lines = w.journal.events.length;
    await catchUpWithPerson(context);
    assert.equal(w.journal.events.length, lines, 'once');
  });

  it('is consented to, and its requirement is not delivered', async () => {
    const w = await staged(world(), p.awaiting());
    const { context, kernel } = play(w);
    await say(kernel, skip);
    await catchUpWithPerson(context);
    const { stop, reasons } = ending(kernel.state);
    assert.notEqual(stop, 'delivered');
    assert.ok(reasons.some((reason) => /^Requirement 1 .* is not proven/.test(reason)));
    assert.ok(!reasons.some((reason) => reason.includes('consent')));
  });

  it('that is being built keeps its builder, and is dropped when the attempt was not kept', async () => {
    const w = await staged(world(), p.awaiting());
    const { context, kernel } = play(w);
    await kernel.append(begunOn('s50'));
    assert.match(await say(kernel, skip), /^T1 is being built: it is dropped when this attempt has ended, unless the attempt is kept/);
    const change = p.change({ author: { kind: 'task', task: 'T1' }, step: 's50' });
    await kernel.append({ type: 'step.ended', id: 's50', outcome: 'done', facts: [{ fact: 'tree.changed', change }] });
    await catchUpWithPerson(context);
    assert.equal(kernel.state.work.tasks['T1']?.status, 'pending', 'nothing is dropped while a change is open');
    await kernel.append(begunOn('s51'));
    const undone = { fact: 'tree.undone' as const, change, why: 'it broke something', broke: [] };
    await kernel.append({ type: 'step.ended', id: 's51', outcome: 'done', facts: [undone] });
    await catchUpWithPerson(context);
    assert.equal(kernel.state.work.tasks['T1']?.status, 'descoped');
  });

  it('ends a wait, and what was asked of the person only for it is not asked any more', async () => {
    const asked = p.humanAction({ shown: true, task: 'T1', requirements: [] });
    const w = await staged(world(), p.awaiting().act('plan', { fact: 'human-action.asked', humanAction: asked }));
    const { context, kernel } = play(w);
    assert.equal(isAnswered(kernel.state), false);
    await say(kernel, skip);
    assert.equal(isAnswered(kernel.state), true);
    await catchUpWithPerson(context);
    assert.equal(kernel.state.ledger.humanActions['H1']?.status, 'not-needed');
  });

  it('ends a wait for what only its requirement needs, and none for what others need, too', async () => {
    const asked = p.humanAction({ shown: true, task: '', requirements: ['1'] });
    const other = p.task({ id: 'T2' });
    const story = p.awaiting().act('plan', { fact: 'task.added', task: other }, { fact: 'human-action.asked', humanAction: asked });
    const { context, kernel } = play(await staged(world(), story));
    await say(kernel, skip);
    await catchUpWithPerson(context);
    assert.equal(kernel.state.ledger.humanActions['H1']?.status, 'open', 'T2 waits for it');
    await say(kernel, { kind: 'skip', task: 'T2' });
    await catchUpWithPerson(context);
    assert.equal(kernel.state.ledger.humanActions['H1']?.status, 'not-needed');
  });

  it('whose attempt was kept is not dropped later, when their documents ask for more of it', async () => {
    const skipped = p.awaiting().act('wait', { fact: 'task.skip-asked', id: 'T1' });
    const { context, kernel } = play(await staged(world(), p.green(p.built(skipped))));
    assert.equal(kernel.state.work.tasks['T1']?.status, 'done');
    await kernel.append({ type: 'person.said', facts: [{ fact: 'task.reopened', id: 'T1', why: 'the person changed what 1 asks for' }] });
    await catchUpWithPerson(context);
    assert.equal(kernel.state.work.tasks['T1']?.status, 'pending');
  });
});

/** Every attempt at T1 is used up. */
function givenUp(): Story {
  const story = p.awaiting();
  for (let n = 0; n < (story.state.ledger.sizes.execute ?? 0); n += 1) story.begin('execute', 'T1', ['execute/T1']).end();
  return story;
}

describe('a task that is tried again', () => {
  it('has the hint in the prompt of its next builder, and no more attempts than it had', async () => {
    const w = await staged(world(), p.awaiting());
    const { kernel } = play(w);
    await say(kernel, retry);
    const { words, retries } = kernel.state.ledger;
    assert.deepEqual([words[0]?.words, words[0]?.about, retries], ['Mind the rounding.', { kind: 'task', id: 'T1' }, {}]);
  });

  it('gets one more attempt where none was left, twice at most', async () => {
    const w = await staged(world(), givenUp());
    const { kernel } = play(w);
    const status = (): string | undefined => standingTasks(kernel.state)[0]?.status;
    const fuelled = (): boolean => execute.due(kernel.state).some(({ burns }) => canBurn(kernel.state.ledger, burns));
    for (let time = 0; time < 2; time += 1) {
      assert.deepEqual([status(), fuelled()], ['given-up', false]);
      await say(kernel, retry);
      assert.deepEqual([status(), fuelled(), isAnswered(kernel.state)], ['ready', true, true]);
      const [due] = execute.due(kernel.state);
      assert.deepEqual(due?.burns, [tank('retry', 'T1')]);
      await kernel.append({ ...begunOn(`s${60 + time}`), burns: [tank('sprint'), ...(due?.burns ?? [])] });
      await kernel.append({ type: 'step.ended', id: `s${60 + time}`, outcome: 'done', facts: [] });
    }
    const lines = w.journal.events.length;
    await assert.rejects(say(kernel, retry), /No attempt at T1 is left, and you asked for 2 more already/);
    assert.equal(w.journal.events.length, lines);
  });

  it('is taken once, also where its letter is read twice', async () => {
    const { kernel } = play(await staged(world(), givenUp()));
    await say(kernel, retry, '1-letter');
    await say(kernel, retry, '1-letter');
    assert.deepEqual([kernel.state.ledger.words.length, kernel.state.ledger.retries], [1, { T1: 1 }]);
  });

  it('gets none in a sprint that began before there were such attempts', async () => {
    const story = givenUp();
    const [first] = story.events;
    assert.ok(first?.type === 'run.opened');
    const { retry: _none, ...sizes } = first.sizes;
    const w = world();
    w.journal.events.push({ ...first, sizes }, ...story.events.slice(1));
    await assert.rejects(say(play(w).kernel, retry), /No attempt at T1 is left/);
  });
});

describe('a word about a task', () => {
  it('to try it again is refused where they gave it up', async () => {
    const { kernel } = play(await staged(world(), p.awaiting()));
    await say(kernel, skip);
    await assert.rejects(say(kernel, retry), /^InputError: T1 is to be dropped, as you said/);
    assert.equal(kernel.state.ledger.words.length, 0);
  });

  const done = (): Story =>
    p.awaiting().act('execute', { fact: 'task.reported', id: 'T1', report: p.report }, { fact: 'task.shown', id: 'T1' });
  const refused: { what: string; story?: () => Story; said: Saying; message: RegExp }[] = [
    {
      what: 'there is no such task',
      said: { kind: 'skip', task: 'constructor' },
      message: /^There is no task constructor\. There are: T1/,
    },
    { what: 'it is done', story: done, said: skip, message: /^T1 is done already\./ },
    {
      what: 'it is dropped',
      story: () => p.awaiting().act('plan', { fact: 'task.descoped', id: 'T1', why: 'x' }),
      said: retry,
      message: /^T1 is dropped already\./,
    },
    { what: 'the hint is empty', said: { ...retry, hint: ' ' }, message: /no word was given/ },
  ];
  for (const { what, story = () => p.awaiting(), said, message } of refused)
    it(`is refused where ${what}, and nothing is recorded`, async () => {
      const w = await staged(world(), story());
      const lines = w.journal.events.length;
      const error = await say(play(w).kernel, said).catch((thrown: unknown) => thrown);
      assert.ok(error instanceof InputError, String(error));
      assert.match(`${error.message} ${error.next}`, message);
      assert.equal(w.journal.events.length, lines);
    });
});
