/** What QC is told of the verifications that there are. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { defaults } from '../../../src/engine/ground/config.ts';
import { existingText } from '../../../src/engine/render/existing-verifications.ts';
import type { State } from '../../../src/engine/state/state.ts';
import type { FaultTrial, Measure } from '../../../src/engine/work/verification.ts';
import type { Fact } from '../../../src/engine/work/facts.ts';
import { refOf } from '../support/events.ts';
import * as p from '../support/parts.ts';

/** One trusted verification that stays green with two of three faults, and another of the same history. @param more of its measure. */
function weak(more: Partial<Measure> = {}): State {
  const story = p.built();
  const { step } = story.state.work.tree.change ?? p.change();
  const { script } = p.verification();
  const trials = (['seen', 'unseen', 'unseen'] as const).map((outcome, i): FaultTrial => ({
    path: 'a.sh',
    line: i,
    operator: 'arithmetic changed',
    was: `x=${i}`,
    now: `x=${i}9`,
    outcome,
  }));
  const { state } = story
    .act(
      'settle',
      { fact: 'tree.settled', settled: p.settled({ step, files: [{ path: 'total.sh', kind: 'modified' }] }) },
      { fact: 'verification.ran', run: p.run({ n: 2, code: 1 }) },
    )
    .act(
      'prove',
      { fact: 'verification.proven', proof: { lineage: 'value/total', script, kind: 'control', code: 1, outcome: 'red', why: '' } },
      { fact: 'verification.measured', measure: { lineage: 'value/total', script, code: 1, trials, reached: {}, limits: [], ...more } },
    );
  const other = p.verification({ id: 'value/whole' });
  return { ...state, work: { ...state.work, verifications: { ...state.work.verifications, [other.id]: other } } };
}

describe('the verifications that there are', () => {
  it('are none at first', () => {
    assert.equal(existingText(p.planned().state), 'None yet.');
  });

  it('leave to the engine what it has not tried to prove yet', () => {
    const text = existingText(p.green(p.built()).state);
    assert.match(text, /^- value\/total \(1\): green; not proven yet: the engine does that by itself$/m);
  });

  it('say what became of faults that were offered for them, also for an earlier text: each gets few', () => {
    const { lineage, script } = p.verification();
    const offered: Fact = {
      fact: 'mutant.offered',
      mutant: { lineage, script, path: 'total.sh', before: 'a+b', after: 'a-b', why: 'too little would be charged' },
    };
    const why = `with QC's mutant "a-b" for "a+b" in total.sh it stays green`;
    const tried: Fact = { fact: 'verification.proven', proof: { lineage, script, kind: 'offered', code: 1, outcome: 'not-red', why } };
    const story = p.green(p.built()).act('write-verifications', offered).act('prove', tried);
    assert.match(existingText(story.state), /: green; not trusted: with QC's mutant .* it stays green; 1 of 3 faults offered for it$/m);
    const rewritten = p.verification({ script: refOf('another text') });
    const { state } = story.act('write-verifications', { fact: 'verification.written', verification: rewritten });
    const told = `1 of 3 faults offered for it; of an earlier text: ${why}`;
    assert.ok(existingText(state).includes(`not proven yet: the engine does that by itself; ${told}\n`), existingText(state));
  });

  it('name what they do not see by numbers, and each fault is told once', () => {
    const text = existingText({ ...weak(), config: { ...defaults, evidence: 'fair' } });
    const stays = 'trusted; its proof is weak, since it sees 1 of 3 faults, and not F1; stays green with F1, F2';
    assert.match(text, new RegExp(`^- value/total \\(1\\): green; ${stays}$`, 'm'));
    assert.match(text, new RegExp(`^- value/whole \\(1\\): .*; ${stays}$`, 'm'));
    assert.ok(
      text.endsWith('Faults that were put into the work:\n\n- F1: "x=19" for "x=1" in a.sh:1\n- F2: "x=29" for "x=2" in a.sh:2'),
      text,
    );
  });

  it('say which fault near to right makes them weak, though they see all others', () => {
    const trial = (operator: FaultTrial['operator'], outcome: FaultTrial['outcome']): FaultTrial => ({
      path: 'a.js',
      line: 3,
      operator,
      was: 'return total',
      now: 'return total + 1',
      outcome,
      place: 0,
    });
    const measured = {
      trials: [trial('arithmetic changed', 'seen')],
      near: [trial('returned value changed', 'seen'), trial('letters swapped', 'unseen')],
    };
    const text = existingText({ ...weak(measured), config: { ...defaults, evidence: 'fair' } });
    const why = 'it does not notice "return total" with capitals and small letters swapped in a.js:3';
    assert.ok(text.includes(`value/total (1): green; trusted; its proof is weak, since ${why}\n`), text);
  });

  it('are only trusted where no more is asked of them', () => {
    const text = existingText({ ...weak(), config: { ...defaults, evidence: 'any' } });
    assert.match(text, /^- value\/total \(1\): green; trusted$/m);
    assert.doesNotMatch(text, /F1/);
  });
});
