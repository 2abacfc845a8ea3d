/** Work that was taken back for what is judged otherwise now is put back, and built again by nobody. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { actions } from '../../../src/engine/actions/table.ts';
import { restorableFix, restorableWork } from '../../../src/engine/judge/restorable.ts';
import type { Fact } from '../../../src/engine/work/facts.ts';
import type { Change } from '../../../src/engine/work/tree.ts';
import { says, world } from '../../support/fakes.ts';
import { refOf, type Story } from '../support/events.ts';
import * as p from '../support/parts.ts';
import { play, staged } from '../support/play.ts';

const other = p.verification({ id: 'value/other', lineage: 'value/other', script: refOf('script of value/other') });
const why = 'T1 broke value/other';
const written = (text: string): Fact => ({ fact: 'verification.written', verification: { ...other, script: refOf(text) } });

/** T1 was built, and taken back since it broke another verification. */
function undone(broke = ['value/other'], change: Change = p.change({ step: 's11' })): Story {
  const story = p.built(p.awaiting().act('write-verifications', { fact: 'verification.written', verification: other }));
  const run = p.run({ n: 2, code: null, verdict: 'red', verification: other.id, lineage: other.lineage, script: other.script });
  return story
    .begin('settle', '1')
    .end(
      { fact: 'verification.ran', run },
      { fact: 'tree.undone', change, why, broke, report: p.report },
      { fact: 'task.returned', id: 'T1', why },
    );
}
/** Put back, it ended a service, so that what it broke has no run on it. */
function killed(): Story {
  const [change, down] = [p.change({ n: 2, step: 's14' }), `${why}; service web is down`];
  return undone()
    .act('write-verifications', written('another'))
    .act('execute', { fact: 'task.reported', id: 'T1', report: p.report }, { fact: 'tree.changed', change })
    .begin('settle', '2')
    .end(
      { fact: 'tree.undone', change, why: down, broke: ['value/other'], report: p.report },
      { fact: 'task.returned', id: 'T1', why: down },
    );
}
const isRestorable = ({ state }: Story): boolean => restorableWork(state, state.work.tasks['T1'] ?? p.task()) !== undefined;

describe('work that was taken back', () => {
  const cases: [string, boolean, () => Story][] = [
    ['once what it broke is written anew', true, () => undone().act('write-verifications', written('another'))],
    [
      'once what it broke is retired',
      true,
      () => undone().act('write-verifications', { fact: 'verification.retired', id: other.id, why: 'x' }),
    ],
    ['not while what it broke is as it was', false, () => undone()],
    [
      'not while one of two that it broke is as it was',
      false,
      () => undone(['value/other', 'value/total']).act('write-verifications', written('another')),
    ],
    ['not where it broke nothing: it was refused', false, () => undone([]).act('write-verifications', written('another'))],
    ['not after a course correction', false, () => undone().act('write-verifications', written('another')).act('course-correct')],
    [
      'not after a review of tasks, which may have changed it',
      false,
      () =>
        undone()
          .act('write-verifications', written('another'))
          .act('plan-health', { fact: 'task.modified', id: 'T1', change: { description: 'Print it as a table' } }),
    ],
    ['not where what it broke could not run on it, and was red on an earlier change', false, killed],
    [
      'not after words of the person, whom its builder has to hear',
      false,
      () =>
        undone()
          .act('write-verifications', written('another'))
          .said({ fact: 'word.said', word: { id: 'W1', words: 'in cents', about: { kind: 'task', id: 'T1' } } }),
    ],
    [
      'not after another change',
      false,
      () =>
        undone()
          .act('write-verifications', written('another'))
          .act('fix', { fact: 'tree.changed', change: p.change({ n: 2, author: p.byFix }) })
          .act('settle', { fact: 'tree.settled', settled: p.settled({ author: p.byFix }) }),
    ],
  ];
  for (const [when, expected, story] of cases)
    it(`is ${expected ? 'put back ' : ''}${expected ? when : `built again: ${when}`}`, () => assert.equal(isRestorable(story()), expected));

  it('is put back without a model, with its report, and is settled as any change', async () => {
    const w = world({ files: { 'a.sh': 'old' } });
    w.repo.files['total.sh'] = 'echo 5';
    const { files, patch } = await w.repo.changes();
    await w.repo.undo();
    const change = p.change({ step: 's11', files, patch: await w.payloads.put(patch) });
    const story = undone(['value/other'], change).act('write-verifications', written('another'));
    const [due] = actions.execute.due(story.state);
    assert.equal(due?.why, 'what the work of T1 broke is judged otherwise now');
    const { context } = play(await staged(w, story.begin('execute', 'T1', ['execute/T1'])));
    const facts = await actions.execute.run('T1', context);
    assert.deepEqual(
      facts.map(({ fact }) => fact),
      ['task.reported', 'tree.changed'],
    );
    const [, changed] = facts;
    assert.ok(changed?.fact === 'tree.changed' && changed.change.n === 2 && changed.change.patch === change.patch);
    assert.deepEqual([w.repo.files['total.sh'], w.model.asked.length], ['echo 5', 0]);
  });

  it('is built again by a session that has begun: what it broke may be written anew meanwhile, and a stop loses nothing of it', async () => {
    const story = undone().act('write-verifications').begin('execute', 'T1', ['execute/T1']);
    const id = story.state.open?.id ?? '';
    const stored = JSON.stringify({
      system: 's',
      tools: [],
      model: 'm',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Build.' }] }],
    });
    const step = { id: `${id}/a0`, kind: 'ask' as const, request: refOf(stored), role: 'builder', purpose: 'execute/T1#2', turn: 0 };
    story.add({ type: 'step.begun', step, burns: [] }).said(written('another'));
    assert.equal(isRestorable(story), true);
    const w = await staged(world({ answers: [says('done'), says('done')] }), story);
    await w.payloads.put(stored);
    await actions.execute.run('T1', play(w).context);
    assert.notEqual(w.model.asked.length, 0);
  });

  it('is put back also where the person says something while that goes on: after a crash the same is done again', () => {
    const story = undone().act('write-verifications', written('another')).begin('execute', 'T1', ['execute/T1']);
    story.said({ fact: 'word.said', word: { id: 'W1', words: 'in cents', about: { kind: 'task', id: 'T1' } } });
    assert.equal(isRestorable(story), true);
  });

  it('is a fix, too, which is put back with its report', async () => {
    const w = world({ files: { 'a.sh': 'old' } });
    w.repo.files['a.sh'] = 'new';
    const { files, patch } = await w.repo.changes();
    await w.repo.undo();
    const change = p.change({ author: p.byFix, step: 's11', files, patch: await w.payloads.put(patch) });
    const { lineage } = p.byFix;
    const { kind: _kind, ...failure } = p.byFix;
    const report = {
      ...failure,
      signature: 'x',
      fixApplied: 'adds',
      filesChanged: ['a.sh'],
      reasoning: 'y',
      answer: { kind: 'fixed' as const },
    };
    const run = p.run({ n: 2, code: null, verdict: 'red', verification: other.id, lineage: other.lineage, script: other.script });
    const story = p
      .awaiting()
      .act('write-verifications', { fact: 'verification.written', verification: other })
      .act('fix', { fact: 'fix.reported', step: 's11', report }, { fact: 'tree.changed', change })
      .begin('settle', '1')
      .end({ fact: 'verification.ran', run }, { fact: 'tree.undone', change, why, broke: ['value/other'] });
    assert.equal(restorableFix(story.state, p.verification()), undefined);
    story.act('write-verifications', written('another'));
    const { context } = play(await staged(w, story.begin('fix', 'value/total', [`lineage/${lineage}`])));
    const [reported, changed] = await actions.fix.run('value/total', context);
    assert.deepEqual(reported, { fact: 'fix.reported', step: context.open.id, report });
    assert.ok(changed?.fact === 'tree.changed' && changed.change.patch === change.patch);
    assert.deepEqual([w.repo.files['a.sh'], w.model.asked.length], ['new', 0]);
  });
});
