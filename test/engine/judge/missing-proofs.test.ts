/** A verification that the machine kept from being red: other work turned it green, and only a proof can show its task done. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { execute } from '../../../src/engine/actions/execute.ts';
import { prove } from '../../../src/engine/actions/prove.ts';
import { missingProofs, rests } from '../../../src/engine/judge/missing-proofs.ts';
import { coveringCommits, isShown } from '../../../src/engine/judge/trust.ts';
import type { State } from '../../../src/engine/state/state.ts';
import type { Fact } from '../../../src/engine/work/facts.ts';
import type { Run } from '../../../src/engine/work/verification.ts';
import { world } from '../../support/fakes.ts';
import type { Story } from '../support/events.ts';
import * as p from '../support/parts.ts';
import { play, staged } from '../support/play.ts';

/** Of the first run, before the work of T9; the second one, behind it, is green. */
function story(first: Partial<Run>): Story {
  return p
    .planned()
    .act('write-verifications', written)
    .act('run-verifications', ran({ ...first, code: 0 }))
    .act('settle', { fact: 'tree.settled', settled: p.settled({ author: { kind: 'task', task: 'T9' } }) }, ran({ n: 2, code: 1 }));
}
/** Its builder found nothing to do. */
function returned(of: Story): Story {
  return of.act(
    'execute',
    { fact: 'task.reported', id: 'T1', report: p.report },
    { fact: 'task.returned', id: 'T1', why: 'nothing changed' },
  );
}
const written: Fact = { fact: 'verification.written', verification: p.verification() };
const ran = (over: Partial<Run>): Fact => ({ fact: 'verification.ran', run: p.run(over) });
const task = (state: State) => state.work.tasks['T1'] ?? p.task();
const targets = (state: State): string[] => execute.due(state).map(({ target }) => target);
const none = { verdict: 'none' } as const;

describe('a verification that the machine kept from being red', () => {
  it('judges what may have turned it green', () => {
    const codes = (of: Story): number[] => coveringCommits(of.state, p.verification()).map(({ code }) => code);
    assert.deepEqual(codes(story(none)), [1]);
    assert.deepEqual(codes(story({})), [], 'it was green before');
    assert.deepEqual(codes(story({ verdict: 'red' })), [1], 'that turned it green');
  });

  it('is proven although its task is open, once a builder found nothing to do', () => {
    const kinds = ({ state }: Story): string[] => missingProofs(state, p.verification());
    assert.deepEqual(kinds(story(none)), []);
    assert.deepEqual(kinds(returned(story(none))), ['control', 'revert', 'mutants']);
    assert.deepEqual(kinds(returned(story({}))), []);
    const noWork = returned(p.planned().act('run-verifications', written, ran(none), ran({ n: 2 })));
    assert.deepEqual(kinds(noWork), [], 'nothing was built that could have turned it green');
    assert.equal(prove.due(returned(story(none)).state).length, 1);
  });

  it('shows nothing of a task whose own work was taken back', () => {
    const undone: Fact = { fact: 'tree.undone', change: p.change({ n: 2 }), why: 'T1 broke cli/other', broke: ['cli/other'] };
    const red = ran({ n: 3, where: 'revert', code: null, verdict: 'red' });
    const { state } = returned(story(none)).act('settle', undone).act('prove', p.controlProof, red, p.revertProof);
    assert.deepEqual(
      [missingProofs(returned(story(none)).act('settle', undone).state, p.verification()), isShown(state, task(state))],
      [[], true],
    );
    assert.deepEqual(
      execute.due(state).map(({ why }) => why),
      ['task T1 is ready'],
    );
  });

  it('lets its task wait for that, and not for longer', async () => {
    assert.deepEqual(targets(story(none).state), ['T1']);
    const { state } = returned(story(none));
    assert.deepEqual([targets(state), rests(state, task(state)), isShown(state, task(state))], [[], true, false]);
    const red = ran({ n: 3, where: 'revert', code: null, verdict: 'red' });
    const proven = returned(story(none)).act('prove', p.controlProof, red, p.revertProof);
    assert.deepEqual([targets(proven.state), isShown(proven.state, task(proven.state))], [['T1'], true]);
    const w = await staged(world({ answers: [] }), proven.begin('execute', 'T1'));
    const facts = await execute.run('T1', play(w).context);
    assert.deepEqual(
      facts.map(({ fact }) => fact),
      ['task.reported', 'task.shown'],
      'and no builder is asked again',
    );
    const refused = returned(story(none)).act('prove', {
      fact: 'verification.proven',
      proof: { lineage: 'value/total', script: p.verification().script, kind: 'control', code: 1, outcome: 'not-red', why: 'its text' },
    }).state;
    assert.deepEqual([targets(refused), isShown(refused, task(refused))], [['T1'], false]);
  });
});
