/** What a person says is on disk the moment that they say it, and carried out between two decisions (I1, I10). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { actions } from '../../../src/engine/actions/table.ts';
import { fold } from '../../../src/engine/core/fold.ts';
import { InputError } from '../../../src/engine/ground/errors.ts';
import { catchUpWithPerson } from '../../../src/engine/person/catch-up.ts';
import { answerHumanAction, type Answer } from '../../../src/engine/person/desk.ts';
import { spentOf, tank } from '../../../src/engine/state/fuel.ts';
import type { Deed, HumanAction } from '../../../src/engine/work/human-action.ts';
import { world, type World } from '../../support/fakes.ts';
import { silent } from '../../support/person.ts';
import * as p from '../support/parts.ts';
import { again, play, staged } from '../support/play.ts';

async function asked(humanAction: HumanAction = p.humanAction({ shown: true })): Promise<World> {
  return staged(world({ person: silent }), p.awaiting().act('plan', { fact: 'human-action.asked', humanAction }));
}
/** As a process that opens the journal anew reads it. */
const onDisk = (w: World): HumanAction | undefined => fold(w.journal.events).ledger.humanActions['H1'];

describe('a word about a human action', () => {
  it('is on disk when it is said, and survives a death before anything was done with it', async () => {
    const w = await asked();
    await answerHumanAction(play(w).kernel, 'H1', 'skip');
    assert.deepEqual([onDisk(w)?.status, onDisk(w)?.answer], ['answered', 'skip']);
    const { context, kernel } = await again(w);
    await catchUpWithPerson(context);
    assert.deepEqual([onDisk(w)?.status, kernel.state.work.tasks['T1']?.status], ['skipped', 'descoped']);
  });

  it('that comes early, while an action is open, changes nothing before the next decision', async () => {
    const w = await asked();
    const { context, kernel } = play(w);
    const decision = { action: 'execute' as const, target: 'T1', why: 'x', burns: [tank('sprint')], behind: [] };
    await kernel.append({ type: 'step.begun', step: { id: 's99', kind: 'action', decision }, burns: decision.burns });
    await answerHumanAction(kernel, 'H1', 'skip');
    assert.equal(kernel.state.work.tasks['T1']?.status, 'pending', 'the agent goes on with what it was given');
    await kernel.append({ type: 'step.ended', id: 's99', outcome: 'done', facts: [] });
    await catchUpWithPerson(context);
    assert.equal(kernel.state.work.tasks['T1']?.status, 'descoped');
  });

  it('that a deed is done is looked at: what is missing is said, and asked for again', async () => {
    const w = await asked();
    const { context, kernel } = play(w);
    await answerHumanAction(kernel, 'H1', 'done');
    await catchUpWithPerson(context);
    assert.deepEqual([onDisk(w)?.status, onDisk(w)?.missing], ['open', 'There is no prices.csv in your checkout yet.']);
    assert.deepEqual(
      actions.wait.due(kernel.state).map(({ target }) => target),
      ['H1'],
    );
    w.repo.supplies['prices.csv'] = '5';
    await answerHumanAction(kernel, 'H1', 'done');
    await catchUpWithPerson(context);
    assert.equal(onDisk(w)?.status, 'fulfilled');
    assert.equal(spentOf(kernel.state.ledger, tank('wait')), 2, 'each done counts');
  });

  it('is believed as often as the tank holds; afterwards only what is seen counts, or a skip', async () => {
    const w = await asked();
    const { context, kernel } = play(w);
    const most = kernel.state.ledger.sizes.wait ?? 0;
    for (let n = 0; n < most; n += 1) {
      await answerHumanAction(kernel, 'H1', 'done');
      await catchUpWithPerson(context);
    }
    const lines = w.journal.events.length;
    await assert.rejects(answerHumanAction(kernel, 'H1', 'done'), /as often as it takes/);
    assert.equal(w.journal.events.length, lines);
    await answerHumanAction(kernel, 'H1', 'skip');
    assert.equal(onDisk(w)?.answer, 'skip');
  });

  it('hides what looks like a secret', async () => {
    const w = await asked(p.asked());
    const key = `sk-ant-${'a1B2'.repeat(8)}`;
    await answerHumanAction(play(w).kernel, 'H1', { said: `Use ${key} for it.` });
    assert.ok(!JSON.stringify(w.journal.events).includes(key));
    assert.equal(onDisk(w)?.status, 'fulfilled');
  });

  const deed = (over: Partial<Deed>): Deed => p.humanAction({ shown: true, ...over });
  const refused: [what: string, about: HumanAction, answer: Answer, id: string, says: RegExp][] = [
    ['about what was never asked', deed({}), 'done', 'H7', /^There is no human action H7\. There are: H1\.$/],
    ['about a name that every object has', deed({}), 'done', 'constructor', /^There is no human action constructor\./],
    ['twice', deed({ status: 'answered' }), 'done', 'H1', /^H1 is answered already\./],
    ['about what is done', deed({ status: 'fulfilled' }), 'skip', 'H1', /^H1 is answered already\./],
    ['in words, about a deed', deed({}), { said: 'I did it' }, 'H1', /^H1 is something to do\. Say that it is done, or skip it\.$/],
    ['by a click, to a question', p.asked(), 'done', 'H1', /^H1 is a question\. Answer it in words, or skip it\.$/],
    ['in no words, to a question', p.asked(['value/total']), { said: ' \n' }, 'H1', /^H1 is a question\./],
  ];
  for (const [what, about, answer, id, says] of refused)
    it(`is refused ${what}, and nothing is written`, async () => {
      const w = await asked(about);
      const lines = w.journal.events.length;
      const error = await answerHumanAction(play(w).kernel, id, answer).catch((thrown: unknown) => thrown);
      assert.ok(error instanceof InputError);
      assert.match(`${error.message} ${error.next}`, says);
      assert.equal(w.journal.events.length, lines);
    });
});
