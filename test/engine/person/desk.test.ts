/** The person's answer is on disk at once, and is carried out between two decisions (I1, I10). */
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

async function worldAsking(humanAction: HumanAction = p.humanAction({ shown: true })): Promise<World> {
  return staged(world({ person: silent }), p.awaiting().act('plan', { fact: 'human-action.asked', humanAction }));
}
/** The human action as a new process reads it from the journal. */
const onDisk = (w: World): HumanAction | undefined => fold(w.journal.events).ledger.humanActions['H1'];

describe('an answer to a human action', () => {
  it('is on disk at once, and survives a crash before it is carried out', async () => {
    const w = await worldAsking();
    await answerHumanAction(play(w).kernel, 'H1', 'skip');
    assert.deepEqual([onDisk(w)?.status, onDisk(w)?.answer], ['answered', 'skip']);
    const { context, kernel } = await again(w);
    await catchUpWithPerson(context);
    assert.deepEqual([onDisk(w)?.status, kernel.state.work.tasks['T1']?.status], ['skipped', 'descoped']);
  });

  it('that comes during an open action changes nothing before the next decision', async () => {
    const w = await worldAsking();
    const { context, kernel } = play(w);
    const decision = { action: 'execute' as const, target: 'T1', why: 'x', burns: [tank('sprint')], behind: [] };
    await kernel.append({ type: 'step.begun', step: { id: 's99', kind: 'action', decision }, burns: decision.burns });
    await answerHumanAction(kernel, 'H1', 'skip');
    assert.equal(kernel.state.work.tasks['T1']?.status, 'pending', 'the agent keeps its task');
    await kernel.append({ type: 'step.ended', id: 's99', outcome: 'done', facts: [] });
    await catchUpWithPerson(context);
    assert.equal(kernel.state.work.tasks['T1']?.status, 'descoped');
  });

  it('"done" is verified; if something is missing, the person is told and asked again', async () => {
    const w = await worldAsking();
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
    assert.equal(spentOf(kernel.state.ledger, tank('wait')), 2, 'each "done" burns fuel');
  });

  it('"done" is accepted as long as the tank has fuel; afterwards only the found file counts, or a skip', async () => {
    const w = await worldAsking();
    const { context, kernel } = play(w);
    const most = kernel.state.ledger.sizes.wait ?? 0;
    for (let n = 0; n < most; n += 1) {
      await answerHumanAction(kernel, 'H1', 'done');
      await catchUpWithPerson(context);
    }
    const lines = w.journal.events.length;
    await assert.rejects(answerHumanAction(kernel, 'H1', 'done'), /your word alone is not accepted/);
    assert.equal(w.journal.events.length, lines);
    await answerHumanAction(kernel, 'H1', 'skip');
    assert.equal(onDisk(w)?.answer, 'skip');
  });

  it('is redacted when it contains a secret', async () => {
    const w = await worldAsking(p.asked());
    const key = `sk-ant-${'a1B2'.repeat(8)}`;
    await answerHumanAction(play(w).kernel, 'H1', { said: `Use ${key} for it.` });
    assert.ok(!JSON.stringify(w.journal.events).includes(key));
    assert.equal(onDisk(w)?.status, 'fulfilled');
  });

  const deed = (over: Partial<Deed>): Deed => p.humanAction({ shown: true, ...over });
  const refused: { what: string; humanAction: HumanAction; answer: Answer; id: string; message: RegExp }[] = [
    {
      what: 'for an unknown human action',
      humanAction: deed({}),
      answer: 'done',
      id: 'H7',
      message: /^There is no human action H7\. There are: H1\.$/,
    },
    {
      what: 'for the name of an inherited property',
      humanAction: deed({}),
      answer: 'done',
      id: 'constructor',
      message: /^There is no human action constructor\./,
    },
    { what: 'a second time', humanAction: deed({ status: 'answered' }), answer: 'done', id: 'H1', message: /^H1 is answered already\./ },
    {
      what: 'for a fulfilled human action',
      humanAction: deed({ status: 'fulfilled' }),
      answer: 'skip',
      id: 'H1',
      message: /^H1 is answered already\./,
    },
    {
      what: 'in words to a deed',
      humanAction: deed({}),
      answer: { said: 'I did it' },
      id: 'H1',
      message: /^H1 is something to do\. Say that it is done, or skip it\.$/,
    },
    {
      what: 'as "done" to a question',
      humanAction: p.asked(),
      answer: 'done',
      id: 'H1',
      message: /^H1 is a question\. Answer it in words, or skip it\.$/,
    },
    {
      what: 'with empty words to a question',
      humanAction: p.asked(['value/total']),
      answer: { said: ' \n' },
      id: 'H1',
      message: /^H1 is a question\./,
    },
  ];
  for (const { what, humanAction, answer, id, message } of refused)
    it(`is refused ${what}, and nothing is recorded`, async () => {
      const w = await worldAsking(humanAction);
      const lines = w.journal.events.length;
      const error = await answerHumanAction(play(w).kernel, id, answer).catch((thrown: unknown) => thrown);
      assert.ok(error instanceof InputError);
      assert.match(`${error.message} ${error.next}`, message);
      assert.equal(w.journal.events.length, lines);
    });
});
