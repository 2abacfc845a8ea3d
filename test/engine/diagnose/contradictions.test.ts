/** A verification that a change broke may itself be wrong. The engine detects it where no agent can report it, and QC decides, with limited fuel (I4). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { actions } from '../../../src/engine/actions/table.ts';
import { contradictions } from '../../../src/engine/diagnose/contradictions.ts';
import { whyNoDoubt } from '../../../src/engine/diagnose/doubt.ts';
import { tank } from '../../../src/engine/state/fuel.ts';
import type { Run } from '../../../src/engine/work/verification.ts';
import type { Fact } from '../../../src/engine/work/facts.ts';
import type { FixReport } from '../../../src/engine/work/fix.ts';
import type { Task } from '../../../src/engine/work/task.ts';
import type { Change } from '../../../src/engine/work/tree.ts';
import { refOf, type Story } from '../support/events.ts';
import * as p from '../support/parts.ts';

const sum = p.verification({ id: 'value/sum', lineage: 'value/sum', script: refOf('sum'), prd: ['1'] });
const ran = (over: Partial<Run> = {}): Fact => ({ fact: 'verification.ran', run: p.run(over) });
const ranSum = (over: Partial<Run> = {}): Fact => ran({ verification: 'value/sum', lineage: 'value/sum', script: sum.script, ...over });

/** Built: `value/total` is red, `value/sum` is green, and both prove the same requirement. */
function between(prd = ['1']): Story {
  const story = p.built(
    p.awaiting(p.planned().act('write-verifications', { fact: 'verification.written', verification: { ...sum, prd } })),
  );
  const { step } = story.state.work.tree.change ?? p.change();
  return story.act(
    'settle',
    { fact: 'tree.settled', settled: p.settled({ step }) },
    ran({ n: 2, code: 1, verdict: 'red' }),
    ranSum({ code: 1 }),
  );
}

const report: FixReport = {
  lineage: 'value/total',
  verification: 'value/total',
  signature: 'test_failure-1',
  fixApplied: 'x',
  filesChanged: [],
  reasoning: 'y',
  also: [],
  answer: { kind: 'fixed' },
};

/** A fix of `value/total` that is about to be undone after these runs. */
function fixed(story: Story, ...runs: Fact[]): Change {
  return fixedWith(report, story, ...runs);
}

/** @param fixReport the fixer's report; undefined when its session was cut off. */
function fixedWith(fixReport: FixReport | undefined, story: Story, ...runs: Fact[]): Change {
  story.begin('fix', 'value/total');
  const step = story.state.open?.id ?? '';
  const change = p.change({ n: story.state.ledger.changes + 1, author: p.byFix, step });
  story.end(...(fixReport ? [{ fact: 'fix.reported' as const, step, report: fixReport }] : []), { fact: 'tree.changed', change });
  story.begin('settle').add({ type: 'step.ended', id: 'judged', outcome: 'done', facts: runs });
  return change;
}

const after = { n: 3, code: null };
const turned = [ran(after), ranSum({ n: 2, code: null, verdict: 'red' })];
const doubted = (story: Story, change: Change, broke: string[]): string[] =>
  contradictions(story.state, change, broke).map((doubt) => doubt.verification);

describe('two verifications that contradict each other', () => {
  it('are detected when a fix turns one green and breaks the other', () => {
    const story = between();
    const change = fixed(story, ...turned);
    const [doubt] = contradictions(story.state, change, ['value/sum']);
    const evidence = 'A fix that turned value/total green broke it and was taken back. Both prove 1: perhaps no work satisfies both.';
    assert.deepEqual(doubt?.answer, { kind: 'doubt', evidence, script: sum.script });
    const undoneFact: Fact = { fact: 'tree.undone', change, why: 'it broke value/sum', broke: ['value/sum'] };
    story.end(undoneFact, { fact: 'fix.reported', step: story.state.open?.id ?? '', report: doubt });
    const [due] = actions['write-verifications'].due(story.state).filter((d) => d.target === 'value/sum');
    assert.deepEqual(due?.burns, [tank('rewrite', 'value/sum')]);
    assert.deepEqual(story.state.ledger.burned.lineage['value/sum'], undefined, 'it uses no fix attempt');
  });

  const noContradiction: { why: string; prd?: string[]; before?: (s: Story) => void; runs: Fact[]; broke: string[] }[] = [
    {
      why: 'the fix did not turn its own verification green',
      runs: [ran({ ...after, verdict: 'red' }), ...turned.slice(1)],
      broke: ['value/sum'],
    },
    { why: 'they prove different requirements', prd: ['2'], runs: turned, broke: ['value/sum'] },
    { why: 'nothing broke', runs: [ran(after)], broke: [] },
    {
      why: 'the fuel for asking QC is used up',
      before: (s) => void (s.state.ledger.burned.rewrite['value/sum'] = 3),
      runs: turned,
      broke: ['value/sum'],
    },
    {
      why: 'the broken one is a suite that guards earlier behaviour',
      before: (s) => {
        const { id, lineage, script } = sum;
        s.act('characterise', { fact: 'verification.written', verification: p.suite({ id, lineage, script }) });
      },
      runs: turned,
      broke: ['value/sum'],
    },
  ];
  for (const { why, prd, before, runs, broke } of noContradiction)
    it(`are not detected when ${why}`, () => {
      const story = between(prd);
      before?.(story);
      assert.deepEqual(doubted(story, fixed(story, ...runs), broke), []);
    });

  /** A fix that turned one green and broke the other was undone. */
  function undone(...facts: Fact[]): Story {
    const story = between();
    const change = fixed(story, ...turned);
    return story.end({ fact: 'tree.undone', change, why: 'it broke value/sum', broke: ['value/sum'] }, ...facts);
  }

  it('are detected again when the same change is repeated, even without a run', () => {
    const story = undone();
    assert.deepEqual(doubted(story, fixed(story), []), ['value/sum']);
  });

  const answer = { kind: 'doubt' as const, evidence: 'the PRD says 5', script: p.verification().script };
  const unfinished: [what: string, fixReport: FixReport | undefined][] = [
    ['doubts the verification', { ...report, answer }],
    ['was cut off before its report', undefined],
  ];
  for (const [what, fixReport] of unfinished)
    it(`are not detected again by a fix that did not run and ${what}, because it shows nothing new`, () => {
      const story = undone();
      assert.deepEqual(doubted(story, fixedWith(fixReport, story), []), []);
      const another = undone();
      assert.deepEqual(doubted(another, fixedWith(fixReport, another, ...turned), ['value/sum']), ['value/sum'], 'it broke it too');
    });

  const since: { what: string; story: Story }[] = [
    {
      what: 'the broken one was rewritten',
      story: undone().act(
        'write-verifications',
        { fact: 'verification.written', verification: { ...sum, script: refOf('sum, again') } },
        ranSum({ n: 3, script: refOf('sum, again'), code: 1, verdict: 'red' }),
      ),
    },
    {
      what: 'the fixed one was rewritten',
      story: undone().act('write-verifications', {
        fact: 'verification.written',
        verification: p.verification({ script: refOf('total, again') }),
      }),
    },
    {
      what: 'the person adopted an edit of the broken one',
      story: undone().said({ fact: 'verification.adopted', verification: { ...sum, by: 'person' } }),
    },
    {
      what: 'QC is already asked about it',
      story: undone({
        fact: 'fix.reported',
        step: 's',
        report: {
          ...report,
          lineage: 'value/sum',
          verification: 'value/sum',
          answer: { kind: 'doubt', evidence: 'x', script: sum.script },
        },
      }),
    },
  ];
  for (const { what, story } of since) it(`are not detected after ${what}`, () => assert.deepEqual(doubted(story, fixed(story), []), []));
});

describe('a gap task that breaks a verification', () => {
  /** The verifications that the engine doubts when the work of G1 is about to be undone. */
  function breaking(source: Task['source'], over: string[] = ['1']): string[] {
    const task = p.task({ id: 'G1', source, description: 'The total is 7' });
    const story = between(over).act('final', { fact: 'task.added', task });
    story.begin('execute', 'G1');
    const change = p.change({ n: 2, author: { kind: 'task', task: 'G1' }, step: story.state.open?.id ?? '' });
    story.end({ fact: 'task.reported', id: 'G1', report: p.report }, { fact: 'tree.changed', change }).begin('settle');
    return doubted(story, change, ['value/sum', 'value/total']);
  }

  it('makes the engine ask QC whether the verification is right', () => {
    assert.deepEqual(breaking('evaluation').toSorted(), ['value/sum', 'value/total']);
  });

  it('raises no doubt when it broke more than one requirement, or was not added after an assessment of the deliverable', () => {
    assert.deepEqual(breaking('vrc', ['2']), []);
    for (const source of ['plan', 'course_correction', 'final'] as const) assert.deepEqual(breaking(source), [], source);
  });
});

describe('QC’s answer', () => {
  const answer = { kind: 'doubt' as const, evidence: 'the PRD says 5, the script 6', script: p.verification().script };
  const upheld: Fact = { fact: 'verification.upheld', lineage: 'value/total', script: p.verification().script, why: 'it says 6' };
  const answered = (): Story => {
    const story = between().begin('fix', 'value/total');
    return story
      .end({ fact: 'fix.reported', step: story.state.open?.id ?? '', report: { ...report, answer } })
      .act('write-verifications', upheld);
  };

  it('holds until a fix that followed it failed', () => {
    const story = answered();
    assert.match(whyNoDoubt(story.state, p.verification()) ?? '', /answered that it is right: it says 6$/);
    story.begin('fix', 'value/total').end({ fact: 'fix.reported', step: story.state.open?.id ?? '', report });
    assert.equal(whyNoDoubt(story.state, p.verification()), undefined);
    story.state.ledger.burned.rewrite['value/total'] = 3;
    assert.match(whyNoDoubt(story.state, p.verification()) ?? '', /as often as it may be/);
  });

  it('ends when no fix is left that could test it', () => {
    const story = answered();
    story.state.ledger.burned.lineage['value/total'] = 5;
    assert.equal(whyNoDoubt(story.state, p.verification()), undefined);
  });

  it('holds even if earlier fixes failed', () => {
    const story = between().begin('fix', 'value/total');
    story.end({ fact: 'fix.reported', step: story.state.open?.id ?? '', report });
    story.begin('fix', 'value/total').end({ fact: 'fix.reported', step: story.state.open?.id ?? '', report: { ...report, answer } });
    assert.notEqual(whyNoDoubt(story.act('write-verifications', upheld).state, p.verification()), undefined);
  });
});
