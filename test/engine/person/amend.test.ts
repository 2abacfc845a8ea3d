/** Vision and PRD that the person changes on the way: their word is recorded at once, and carried out between two decisions. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { execute } from '../../../src/engine/actions/execute.ts';
import { table } from '../../../src/engine/actions/table.ts';
import { decide } from '../../../src/engine/core/decide.ts';
import { fold } from '../../../src/engine/core/fold.ts';
import { InputError } from '../../../src/engine/ground/errors.ts';
import { ending } from '../../../src/engine/judge/ending.ts';
import { liveHidden } from '../../../src/engine/judge/hidden.ts';
import { settledPoints } from '../../../src/engine/judge/open-points.ts';
import { trustOf } from '../../../src/engine/judge/trust.ts';
import { changeOf, type DocumentText } from '../../../src/engine/person/amend.ts';
import { catchUpWithPerson } from '../../../src/engine/person/catch-up.ts';
import { isAnswered } from '../../../src/engine/person/human-actions.ts';
import { say, type Saying } from '../../../src/engine/person/say.ts';
import { renderReport } from '../../../src/engine/render/report.ts';
import { liveVerifications } from '../../../src/engine/state/covers.ts';
import { documentsOf } from '../../../src/engine/state/documents.ts';
import type { State } from '../../../src/engine/state/state.ts';
import { isUnresolved, type Choice } from '../../../src/engine/work/human-action.ts';
import { world } from '../../support/fakes.ts';
import { refOf, Story } from '../support/events.ts';
import * as p from '../support/parts.ts';
import { again, play, staged, type Play } from '../support/play.ts';

const before = '## 1. Totals';
const reworded = `${before}\n\nThe total is printed with two decimals, and with its currency.\n`;
const more = `${before}\n\n## 2. Receipts are printed\n\n## 3. Receipts are numbered, from 1 on\n`;
const without = '## 2. Receipts are printed, each with the day it was made\n';
const renumbered = '# Orders\n\nWhat a clerk needs, in short.\n\n## 4. Totals\n';

const prd = (text: string): DocumentText[] => [{ name: 'PRD.md', text }];
const amending = (text: string, answer: 'take' | 'keep' = 'take'): Saying => ({ kind: 'amend', answer, documents: prd(text) });

/** Says it, and goes on as after a crash. */
async function takenOver(story: Story, text: string): Promise<Play> {
  const w = await staged(world(), story);
  await say(play(w).kernel, amending(text));
  const played = await again(w);
  await catchUpWithPerson(played.context);
  return played;
}

const live = ({ work }: State): string[] => liveVerifications(work).map(({ id }) => id);

describe('a PRD that the person takes over', () => {
  it('is in the journal at once, and re-opens a requirement in other words: its task, its verification, its trust', async () => {
    const { state } = (await takenOver(p.delivered(), reworded)).kernel;
    const { work } = state;
    assert.equal(work.requirements[0]?.text, 'Totals\n\nThe total is printed with two decimals, and with its currency.');
    assert.deepEqual([work.tasks['T1']?.status, work.tasks['T1']?.reopened], ['pending', 'the person changed what 1 asks for']);
    assert.deepEqual(live(state), ['value/tone'], 'what proves a value proof stays');
    assert.deepEqual(
      documentsOf(state).map(({ ref }) => ref),
      [refOf('# Vision'), refOf(reworded)],
    );
    assert.equal(decide(state, table).action, 'write-verifications');
    const { reasons } = ending(state);
    for (const judge of ['assessed against the Vision', 'used as its user would'])
      assert.ok(reasons.includes(`The final tree was not ${judge}.`), reasons.join());
    assert.match(renderReport(state), /- After \d+ decisions you changed PRD\.md: it was taken over, and 1 re-opens\.\n/);
  });

  for (const answer of ['keep', 'take'] as const)
    it(`is left alone where the person puts the document back while a step is open, and says "${answer}"`, async () => {
      const story = p.awaiting().begin('execute', 'T1', ['execute/T1']);
      const w = await staged(world(), story);
      const { kernel } = play(w);
      await say(kernel, amending(reworded));
      assert.match(await say(kernel, amending(before, answer)), /^The sprint goes on with the text of PRD\.md that it has\.$/);
      await kernel.append({ type: 'step.ended', id: story.state.open?.id ?? '', outcome: 'done', facts: [] });
      const { context, kernel: after } = await again(w);
      await catchUpWithPerson(context);
      assert.deepEqual(documentsOf(after.state), documentsOf(story.state));
    });

  it('asks the person no more for what only a task waits for that goes with its requirement', async () => {
    const asked = [p.humanAction(), p.asked([], { id: 'H2', task: 'T1' }), p.asked([], { id: 'H3' })];
    const story = asked.reduce((told, one) => told.act('plan', { fact: 'human-action.asked', humanAction: one }), p.awaiting());
    const { state } = (await takenOver(story, without)).kernel;
    assert.equal(state.work.tasks['T1']?.status, 'descoped');
    assert.deepEqual(
      Object.values(state.ledger.humanActions).map(({ status }) => status),
      ['not-needed', 'not-needed', 'open'],
    );
  });

  it('changes no fuel', async () => {
    const w = await staged(world(), p.delivered());
    const { kernel, context } = play(w);
    const fuel = (): unknown => structuredClone([kernel.state.ledger.sizes, kernel.state.ledger.burned]);
    const was = fuel();
    await say(kernel, amending(reworded));
    await catchUpWithPerson(context);
    assert.deepEqual(fuel(), was);
  });

  it('leaves all as it was where a requirement only has another number', async () => {
    const { state } = (await takenOver(p.proven(), renumbered)).kernel;
    const [verification] = liveVerifications(state.work);
    assert.ok(verification?.kind === 'script');
    assert.deepEqual([state.work.tasks['T1']?.status, state.work.tasks['T1']?.prdSection], ['done', ['4']]);
    assert.deepEqual([verification.prd, trustOf(state, verification).trusted], [['4'], true]);
    assert.deepEqual(
      state.work.requirements.map(({ id }) => id),
      ['4', 'V1'],
    );
  });

  it('has a task for each requirement that is new, as far as tasks may be added', async () => {
    const w = await staged(world(), p.awaiting());
    const { kernel, context } = play(w);
    const refusal = /PRD\.md has 2 new requirements, and this sprint may add 1 task at most/;
    await assert.rejects(say(kernel, amending(more)), (error) => error instanceof InputError && refusal.test(error.message));
    await say(kernel, amending(more.replace('## 3. Receipts are numbered, from 1 on', 'They are numbered, from 1 on.')));
    await catchUpWithPerson(context);
    const { N1: task } = kernel.state.work.tasks;
    assert.deepEqual([task?.source, task?.prdSection, task?.title], ['person', ['2'], 'Receipts are printed']);
    assert.deepEqual([kernel.state.work.tasks['T1']?.reopened, kernel.state.ledger.minted], [undefined, 1]);
  });

  it('drops what served only what is taken out, with consent', async () => {
    const { state } = (await takenOver(p.awaiting(), without)).kernel;
    assert.deepEqual([state.work.tasks['T1']?.status, state.work.tasks['T1']?.prdSection], ['descoped', []]);
    assert.deepEqual([live(state), state.work.requirements.map(({ id }) => id)], [['value/tone'], ['2', 'V1']]);
    assert.ok(!ending(state).reasons.some((reason) => /consent|value\/total/.test(reason)));
  });

  it('waits while a change of the tree is open, so that no undo takes it back', async () => {
    const w = await staged(world(), p.built());
    const { kernel, context } = play(w);
    await say(kernel, amending(reworded));
    await catchUpWithPerson(context);
    assert.deepEqual([isAnswered(kernel.state), kernel.state.work.requirements[0]?.text], [false, 'Totals']);
    const { change } = kernel.state.work.tree;
    assert.ok(change);
    const decision = { action: 'settle' as const, target: '1', why: '', burns: [], behind: [] };
    await kernel.append({ type: 'step.begun', step: { id: 's90', kind: 'action', decision }, burns: [{ kind: 'sprint', key: '' }] });
    const undone = { fact: 'tree.undone' as const, change, why: 'it broke something', broke: [] };
    await kernel.append({ type: 'step.ended', id: 's90', outcome: 'done', facts: [undone] });
    assert.equal(isAnswered(kernel.state), true, 'a wait ends for it');
    await catchUpWithPerson(context);
    assert.match(kernel.state.work.requirements[0]?.text ?? '', /two decimals/);
    assert.deepEqual(fold(w.journal.events), kernel.state);
  });

  it('is taken once, also where its letter is read twice', async () => {
    const { kernel, context } = play(await staged(world(), p.awaiting()));
    await say(kernel, amending(reworded), '1-letter');
    await say(kernel, amending(reworded), '1-letter');
    assert.equal(kernel.state.ledger.revisions.length, 1);
    await catchUpWithPerson(context);
    await assert.rejects(say(kernel, amending(reworded)), /VISION\.md and PRD\.md are as the sprint goes by them/);
  });

  it('is refused with its line where no sprint could start with it', async () => {
    const { kernel } = play(await staged(world(), p.awaiting()));
    await assert.rejects(say(kernel, amending(`${more}## 1. Totals, once more\n`)), /PRD\.md:6: requirement 1 is there already, in line 1/);
    await assert.rejects(say(kernel, amending('nothing')), /PRD\.md says next to nothing now/);
    assert.deepEqual(kernel.state.ledger.revisions, []);
  });

  it('re-opens what only hidden verifications saw, which nobody runs any more', async () => {
    const hidden = { ...p.verification({ id: 'hidden/1', lineage: 'hidden/1' }) };
    const story = p.proven().act('write-hidden', { fact: 'hidden.written', verification: hidden });
    assert.deepEqual(
      liveHidden((await takenOver(story, renumbered)).kernel.state).map((one) => one.prd),
      [['4']],
    );
    const again_ = p.proven().act('write-hidden', { fact: 'hidden.written', verification: hidden });
    assert.deepEqual(liveHidden((await takenOver(again_, reworded)).kernel.state), []);
  });

  it('before there is a plan is judged anew, and points about the older text are not asked any more', async () => {
    const asked = { fact: 'human-action.asked' as const, humanAction: p.choice() };
    const story = p.discovered().act('review-documents', p.judged({ verdict: 'AMEND', points: [p.point({ weight: 'HARD' })] }), asked);
    const { state } = (await takenOver(story, reworded)).kernel;
    const { action, why } = decide(state, table);
    assert.deepEqual([state.ledger.humanActions['H1']?.status, action], ['not-needed', 'review-documents']);
    assert.equal(why, "nobody has judged the person's words about the documents themselves (1 re-opens)");
  });
});

describe('points of the documents that were raised before a change', () => {
  const two = '# Orders\n\nWhat a clerk needs, in shrot.\n\n## 1. Totals\n\n## 2. Receipts are printed\n';
  const first = p.point({ weight: 'HARD' });
  const drop = { answer: 'None', follows: 'nobody gets one', descopes: ['2'] };
  const other = p.point({
    id: 'P2',
    weight: 'HARD',
    requirement: '2',
    quote: 'Receipts are printed',
    proposed: '',
    options: [drop, ...first.options],
    recommended: 1,
  });
  const atLarge = p.point({ id: 'P3', weight: 'HARD', requirement: '', quote: 'in shrot', proposed: '' });
  const rows: { change: string; by: [from: string, to: string][]; asked: string[]; anew: boolean }[] = [
    { change: 'a slip of the pen in the background', by: [['shrot', 'short']], asked: ['P1 of 1', 'P2 of 2', 'P3 of '], anew: false },
    {
      change: 'a constraint',
      by: [['## 1. Totals', '## Constraints\n\n- No network\n\n## 1. Totals']],
      asked: ['P1 of 1', 'P2 of 2', 'P3 of '],
      anew: true,
    },
    {
      change: 'another requirement, new',
      by: [['printed\n', 'printed\n\n## 3. Receipts are numbered\n']],
      asked: ['P1 of 1', 'P2 of 2', 'P3 of '],
      anew: true,
    },
    {
      change: 'the words of one requirement',
      by: [['Receipts are printed', 'Receipts are sent']],
      asked: ['P1 of 1', 'P3 of '],
      anew: true,
    },
    { change: 'a requirement less', by: [['## 1. Totals\n\n', '']], asked: ['P2 of 2', 'P3 of '], anew: true },
    { change: 'another number', by: [['## 2.', '## 7.']], asked: ['P1 of 1', 'P2 of 7', 'P3 of '], anew: false },
  ];
  /** A sprint whose PRD has two requirements, and what `judge` tells of it. */
  async function withTwo(judge: (story: Story) => Story): Promise<ReturnType<typeof world>> {
    const second = { id: '2', title: 'Receipts are printed', text: 'Receipts are printed', line: 7, lastLine: 7 };
    const story = judge(p.discovered(new Story().act('inputs', { fact: 'requirements.read', requirements: [second] })));
    const w = await staged(world(), story);
    const [opening] = w.journal.events;
    assert.ok(opening?.type === 'run.opened');
    const inputs = [opening.inputs[0] ?? assert.fail(), { name: 'PRD.md', ref: await w.payloads.put(two) }];
    w.journal.events[0] = { ...opening, inputs };
    return w;
  }
  /** The documents were judged, and the person was asked; now they say something else. */
  async function changed(by: readonly (readonly [string, string])[]): Promise<Play> {
    const points = [first, other, atLarge];
    const asked = { fact: 'human-action.asked' as const, humanAction: { ...p.choice(), points } };
    const w = await withTwo((story) => story.act('review-documents', p.judged({ verdict: 'AMEND', points }), asked));
    const text = by.reduce((now, [from, to]) => now.replace(from, () => to), two);
    assert.notEqual(text, two);
    await say(play(w).kernel, amending(text));
    const played = await again(w);
    await catchUpWithPerson(played.context);
    return played;
  }
  const askedNow = ({ ledger }: State): Choice | undefined =>
    Object.values(ledger.humanActions)
      .filter((one) => one.kind === 'choice')
      .find(isUnresolved);

  for (const { change, by, asked, anew } of rows)
    it(`stay asked where it does not touch them: ${change}`, async () => {
      const { kernel, context } = await changed(by);
      const choice = askedNow(kernel.state);
      assert.deepEqual(
        choice?.points.map(({ id, requirement }) => `${id} of ${requirement}`),
        asked,
      );
      assert.equal(decide(kernel.state, table).action, 'wait', 'the person is waited for');
      await say(kernel, { kind: 'answer', about: choice?.id ?? '', answers: ['recommended'] });
      await catchUpWithPerson(context);
      assert.equal(decide(kernel.state, table).action, anew ? 'review-documents' : 'plan');
      assert.deepEqual(
        settledPoints(kernel.state).map(({ point: { id, requirement } }) => `${id} of ${requirement}`),
        asked,
      );
    });

  it('name what they take out by the number that it has now', async () => {
    const { kernel } = await changed([['## 2.', '## 7.']]);
    assert.deepEqual(askedNow(kernel.state)?.points[1]?.options[0]?.descopes, ['7']);
  });

  it('are no assumption any more where the person worded it anew, and their own decision stays', async () => {
    const soft = [p.point(), p.point({ id: 'P2', requirement: '2', quote: 'Receipts are printed', proposed: '' })];
    const w = await withTwo((story) => story.act('review-documents', p.judged({ verdict: 'AMEND', points: soft })));
    await say(play(w).kernel, amending(two.replace('## 1. Totals', '## 1. Totals with three decimals')));
    const { kernel, context } = await again(w);
    await catchUpWithPerson(context);
    assert.deepEqual(
      settledPoints(kernel.state).map(({ point }) => point.id),
      ['P2'],
    );
  });
});

describe('a task that is open again', () => {
  it('is done as it is where all that verifies it anew is green, and no builder is asked', async () => {
    const { kernel, context } = await takenOver(p.proven(), reworded);
    const verification = p.verification({ script: refOf('another script') });
    const ran = { fact: 'verification.ran' as const, run: p.run({ script: verification.script, n: 4, code: 1 }) };
    const decision = { action: 'execute' as const, target: 'T1', why: '', burns: [], behind: [] };
    await kernel.append({ type: 'person.said', facts: [{ fact: 'verification.written', verification }, ran] });
    await kernel.append({ type: 'step.begun', step: { id: 's95', kind: 'action', decision }, burns: [{ kind: 'sprint', key: '' }] });
    const facts = await execute.run('T1', context);
    await kernel.append({ type: 'step.ended', id: 's95', outcome: 'done', facts });
    assert.equal(kernel.state.work.tasks['T1']?.status, 'done');
    assert.equal(decide(kernel.state, table).action, 'prove', 'the new verification has to be proven');
  });
});

describe('a PRD that the person keeps to themselves', () => {
  it('changes nothing, and is asked about again only where it is changed once more', async () => {
    const w = await staged(world(), p.awaiting());
    const { kernel, context } = play(w);
    const sprint = { state: kernel.state, payloads: w.payloads };
    assert.equal((await changeOf(sprint, prd(reworded)))?.answer, undefined);
    assert.match(await say(kernel, amending(reworded, 'keep')), /The sprint goes on with the text of PRD\.md that it has/);
    await catchUpWithPerson(context);
    assert.deepEqual([kernel.state.work.requirements[0]?.text, kernel.state.work.tasks['T1']?.reopened], ['Totals', undefined]);
    assert.equal((await changeOf(sprint, prd(reworded)))?.answer, 'keep');
    assert.equal((await changeOf(sprint, prd(more)))?.answer, undefined);
    assert.equal(await changeOf(sprint, prd(before)), undefined);
  });

  it('takes back a word that was not carried out yet', async () => {
    const { kernel, context } = play(await staged(world(), p.awaiting()));
    await say(kernel, amending(reworded));
    await say(kernel, amending(reworded, 'keep'));
    await catchUpWithPerson(context);
    assert.equal(kernel.state.work.requirements[0]?.text, 'Totals');
  });
});
