/** A person approves a plan, and changes it before: at once, on disk, and with nothing built by it meanwhile (I1). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { table } from '../../../src/engine/actions/table.ts';
import { decide } from '../../../src/engine/core/decide.ts';
import { fold } from '../../../src/engine/core/fold.ts';
import { InputError } from '../../../src/engine/ground/errors.ts';
import { ending } from '../../../src/engine/judge/ending.ts';
import { catchUpWithPerson } from '../../../src/engine/person/catch-up.ts';
import { answerHumanAction } from '../../../src/engine/person/desk.ts';
import { untilChanged } from '../../../src/engine/person/human-actions.ts';
import type { TaskChange } from '../../../src/engine/person/plan.ts';
import { say } from '../../../src/engine/person/say.ts';
import { approvalOf } from '../../../src/engine/work/human-action.ts';
import { world } from '../../support/fakes.ts';
import { Story } from '../support/events.ts';
import * as p from '../support/parts.ts';
import { again, play, staged } from '../support/play.ts';

/** A plan of three tasks, made and reviewed. */
function made(config = {}): Story {
  return p
    .discovered(new Story({ approvePlan: true, ...config }))
    .act(
      'plan',
      { fact: 'task.added', task: p.task() },
      { fact: 'task.added', task: p.task({ id: 'T2', dependencies: ['T1'] }) },
      { fact: 'task.added', task: p.task({ id: 'T3', phase: 'polish' }) },
      p.gate('plan'),
      { fact: 'fuel.sized', sprint: 85, mint: 2, evaluation: 5 },
      p.approved,
    );
}

const finding = { lens: 'clarity' as const, task: 'T1', wrong: 'vague', change: 'say which', mended: true };
const approval = approvalOf({ id: 'H1', action: 'Approve the plan', instructions: '' });
const waiting = (): Story => made().act('approve-plan', { fact: 'human-action.asked', humanAction: approval });
const change = (task: string, over: TaskChange) => ({ kind: 'change' as const, task, change: over });

describe('a plan that waits for approval', () => {
  it('is asked for once it is made and reviewed, and only where the person wants that', () => {
    assert.equal(decide(made().state, table).action, 'approve-plan');
    assert.equal(decide(made({ approvePlan: false }).state, table).action, 'prepare');
    const found = made().act('review-plan', { fact: 'plan.judged', review: { findings: [finding], value: 1 } });
    assert.equal(decide(found.state, table).action, 'review-plan');
  });

  it('is neither prepared nor built before, and is after', async () => {
    const w = await staged(world(), waiting());
    const { kernel } = play(w);
    assert.deepEqual([decide(kernel.state, table).action, decide(kernel.state, table).target], ['wait', 'H1']);
    assert.equal(await say(kernel, { kind: 'approve' }), 'The plan is approved.');
    assert.equal(decide(kernel.state, table).action, 'prepare');
    assert.equal(decide(fold(w.journal.events), table).action, 'prepare', 'and after a crash');
    const lines = w.journal.events.length;
    await say(kernel, { kind: 'approve' });
    assert.equal(w.journal.events.length, lines, 'once');
  });

  it('stops as waiting where nobody can be asked, and asks again on resume: a resume approves nothing', async () => {
    const w = await staged(world(), waiting().act('wait', { fact: 'human-action.unattended', id: 'H1' }));
    assert.equal(decide(fold(w.journal.events), table).action, 'close');
    assert.equal(ending(fold(w.journal.events)).stop, 'waiting');
    const { kernel } = await again(w);
    assert.equal(decide(kernel.state, table).action, 'wait');
  });

  it('is not asked for over a budget that keeps its review from its end', () => {
    const { state } = made().act('review-plan', { fact: 'budget.reached', what: 'money', why: 'no money is left' });
    assert.equal(decide(state, table).action, 'close');
    assert.equal(ending(state).stop, 'out-of-budget');
  });

  it('ends a wait when another process brings the approval', async () => {
    const w = await staged(world(), waiting());
    const { kernel, context, abort } = play(w);
    const waited = untilChanged(context, 'H1', abort.signal);
    await say(kernel, { kind: 'approve' });
    assert.deepEqual(await waited, []);
  });

  it('is approved and nothing else: no skip, no words', async () => {
    const { state } = waiting();
    const append = () => Promise.reject(new Error('it was recorded'));
    for (const answer of ['skip', { said: 'well' }] as const)
      await assert.rejects(answerHumanAction({ state, append }, 'H1', answer), InputError);
  });

  it('loses a task that the person skips, before it is approved', async () => {
    const { kernel, context } = play(await staged(world(), waiting()));
    await say(kernel, { kind: 'skip', task: 'T3' });
    await catchUpWithPerson(context);
    assert.equal(kernel.state.work.tasks['T3']?.status, 'descoped');
    assert.equal(decide(kernel.state, table).action, 'wait');
  });
});

describe('a change of a plan that waits for approval', () => {
  it('is there at once and after a crash: texts, and the order', async () => {
    const w = await staged(world(), waiting());
    const { kernel } = play(w);
    assert.equal(await say(kernel, change('T3', { title: ' Short ', acceptance: 'it prints 6', before: 'T1' })), 'T3 is changed.');
    for (const { work } of [kernel.state, fold(w.journal.events)]) {
      assert.deepEqual(Object.keys(work.tasks), ['T3', 'T1', 'T2']);
      const { title, acceptance, phase, description } = work.tasks['T3'] ?? p.task();
      assert.deepEqual([title, acceptance, phase, description], ['Short', 'it prints 6', 'core', p.task().description]);
    }
    assert.match(await say(kernel, change('T2', { before: 'T3' })), /It is still built after what it needs: T1\./);
    await say(kernel, change('T2', { before: 'end' }));
    assert.deepEqual(Object.keys(kernel.state.work.tasks), ['T3', 'T1', 'T2']);
  });

  const refused: [what: string, task: string, over: TaskChange, why: RegExp][] = [
    ['an unknown task', 'T9', { title: 'x' }, /There is no task T9/],
    ['nothing', 'T1', {}, /Nothing of T1 was given to change/],
    ['an empty text', 'T1', { value: ' ' }, /The new value is empty/],
    ['a long title', 'T1', { title: 'x'.repeat(41) }, /41 characters; at most 40/],
    ['a place before itself', 'T1', { before: 'T1' }, /There is no other task T1/],
    ['a place before nothing', 'T1', { title: 'x', before: 'T9' }, /There is no other task T9/],
  ];
  for (const [what, task, over, why] of refused)
    it(`refuses ${what}, and records nothing`, async () => {
      const w = await staged(world(), waiting());
      const lines = w.journal.events.length;
      await assert.rejects(say(play(w).kernel, change(task, over)), why);
      assert.equal(w.journal.events.length, lines);
    });

  it('is refused before there is a plan, after its approval, and where none is asked for', async () => {
    const on = async (story: Story) => say(play(await staged(world(), story)).kernel, change('T1', { title: 'x' }));
    await assert.rejects(on(made()), /no plan to approve yet/);
    await assert.rejects(on(made({ approvePlan: false })), /does not wait for your approval/);
    const answered = { fact: 'human-action.answered' as const, id: 'H1', answer: 'done' as const };
    await assert.rejects(on(waiting().act('wait', answered)), /The plan is approved: T1 is built as it stands/);
  });
});
