/** What a change broke may itself be wrong: the engine sees it where nobody who works can say so, and QC decides, on its fuel (I4). */
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

/** Built: `value/total` is red, `value/sum` green, and both prove the same requirement. */
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

/** A fix of `value/total`, as it is when it is about to be taken back after these runs. */
function fixed(story: Story, ...runs: Fact[]): Change {
  return endedWith(report, story, ...runs);
}

/** @param says what its fixer reported; undefined where the session was cut off. */
function endedWith(says: FixReport | undefined, story: Story, ...runs: Fact[]): Change {
  story.begin('fix', 'value/total');
  const step = story.state.open?.id ?? '';
  const change = p.change({ n: story.state.ledger.changes + 1, author: p.byFix, step });
  story.end(...(says ? [{ fact: 'fix.reported' as const, step, report: says }] : []), { fact: 'tree.changed', change });
  story.begin('settle').add({ type: 'step.ended', id: 'judged', outcome: 'done', facts: runs });
  return change;
}

const after = { n: 3, code: null };
const turned = [ran(after), ranSum({ n: 2, code: null, verdict: 'red' })];
const said = (story: Story, change: Change, broke: string[]): string[] =>
  contradictions(story.state, change, broke).map((d) => d.verification);

describe('two verifications that contradict each other', () => {
  it('are seen where a fix turns one green and breaks the other', () => {
    const story = between();
    const change = fixed(story, ...turned);
    const [doubt] = contradictions(story.state, change, ['value/sum']);
    const evidence = 'A fix that turned value/total green broke it and was taken back. Both prove 1: perhaps no work satisfies both.';
    assert.deepEqual(doubt?.answer, { kind: 'doubt', evidence, script: sum.script });
    const undone: Fact = { fact: 'tree.undone', change, why: 'it broke value/sum', broke: ['value/sum'] };
    story.end(undone, { fact: 'fix.reported', step: story.state.open?.id ?? '', report: doubt });
    const [due] = actions['write-verifications'].due(story.state).filter((d) => d.target === 'value/sum');
    assert.deepEqual(due?.burns, [tank('rewrite', 'value/sum')]);
    assert.deepEqual(story.state.ledger.burned.lineage['value/sum'], undefined, 'no attempt of its own');
  });

  const nothing: [string, () => string[]][] = [
    [
      'the fix did not turn its own green',
      () => {
        const s = between();
        return said(s, fixed(s, ran({ ...after, verdict: 'red' }), ...turned.slice(1)), ['value/sum']);
      },
    ],
    [
      'they prove different requirements',
      () => {
        const s = between(['2']);
        return said(s, fixed(s, ...turned), ['value/sum']);
      },
    ],
    [
      'nothing broke',
      () => {
        const s = between();
        return said(s, fixed(s, ran(after)), []);
      },
    ],
    [
      'QC may not be asked any more',
      () => {
        const s = between();
        s.state.ledger.burned.rewrite['value/sum'] = 3;
        return said(s, fixed(s, ...turned), ['value/sum']);
      },
    ],
    [
      'it guards what was there before',
      () => {
        const s = between();
        const { id, lineage, script } = sum;
        s.act('characterise', { fact: 'verification.written', verification: p.suite({ id, lineage, script }) });
        return said(s, fixed(s, ...turned), ['value/sum']);
      },
    ],
  ];
  for (const [why, found] of nothing) it(`are not where ${why}`, () => assert.deepEqual(found(), []));

  /** A fix that turned one green and broke the other was taken back. */
  function takenBack(...facts: Fact[]): Story {
    const story = between();
    const change = fixed(story, ...turned);
    return story.end({ fact: 'tree.undone', change, why: 'it broke value/sum', broke: ['value/sum'] }, ...facts);
  }

  it('are seen again when the same change is made again, though it is not run', () => {
    const story = takenBack();
    assert.deepEqual(said(story, fixed(story), []), ['value/sum']);
  });

  const answer = { kind: 'doubt' as const, evidence: 'the PRD says 5', script: p.verification().script };
  const notMade: [string, FixReport | undefined][] = [
    ['blames the verification', { ...report, answer }],
    ['was cut off before it was reported', undefined],
  ];
  for (const [what, says] of notMade)
    it(`are not seen again by a fix that was not run and ${what}: it shows nothing new`, () => {
      const story = takenBack();
      assert.deepEqual(said(story, endedWith(says, story), []), []);
      const another = takenBack();
      assert.deepEqual(said(another, endedWith(says, another, ...turned), ['value/sum']), ['value/sum'], 'it broke it too');
    });

  const since: [string, Story][] = [
    [
      'the one that broke was written again',
      takenBack().act(
        'write-verifications',
        { fact: 'verification.written', verification: { ...sum, script: refOf('sum, again') } },
        ranSum({ n: 3, script: refOf('sum, again'), code: 1, verdict: 'red' }),
      ),
    ],
    [
      'the one that was mended was written again',
      takenBack().act('write-verifications', {
        fact: 'verification.written',
        verification: p.verification({ script: refOf('total, again') }),
      }),
    ],
    [
      'the person adopted an edit of the one that broke',
      takenBack().said({ fact: 'verification.adopted', verification: { ...sum, by: 'person' } }),
    ],
    [
      'QC is asked about it',
      takenBack({
        fact: 'fix.reported',
        step: 's',
        report: {
          ...report,
          lineage: 'value/sum',
          verification: 'value/sum',
          answer: { kind: 'doubt', evidence: 'x', script: sum.script },
        },
      }),
    ],
  ];
  for (const [what, story] of since) it(`are none once ${what}`, () => assert.deepEqual(said(story, fixed(story), []), []));
});

describe('work for a gap that breaks a verification', () => {
  /** Work of G1 as it is when it is about to be taken back. */
  function breaking(source: Task['source'], over: string[] = ['1']): string[] {
    const task = p.task({ id: 'G1', source, description: 'The total is 7' });
    const story = between(over).act('final', { fact: 'task.added', task });
    story.begin('execute', 'G1');
    const change = p.change({ n: 2, author: { kind: 'task', task: 'G1' }, step: story.state.open?.id ?? '' });
    story.end({ fact: 'task.reported', id: 'G1', report: p.report }, { fact: 'tree.changed', change }).begin('settle');
    return said(story, change, ['value/sum', 'value/total']);
  }

  it('makes the engine ask whether that is right', () => {
    assert.deepEqual(breaking('evaluation').toSorted(), ['value/sum', 'value/total']);
  });

  it('says nothing where it broke more than one requirement, or was not asked for after a look at the deliverable', () => {
    assert.deepEqual(breaking('vrc', ['2']), []);
    for (const source of ['plan', 'course_correction', 'final'] as const) assert.deepEqual(breaking(source), [], source);
  });
});

describe('what QC answered', () => {
  const answer = { kind: 'doubt' as const, evidence: 'the PRD says 5, the script 6', script: p.verification().script };
  const upheld: Fact = { fact: 'verification.upheld', lineage: 'value/total', script: p.verification().script, why: 'it says 6' };
  const answered = (): Story => {
    const story = between().begin('fix', 'value/total');
    return story
      .end({ fact: 'fix.reported', step: story.state.open?.id ?? '', report: { ...report, answer } })
      .act('write-verifications', upheld);
  };

  it('stands until a fix that went by it failed', () => {
    const story = answered();
    assert.match(whyNoDoubt(story.state, p.verification()) ?? '', /answered that it is right: it says 6$/);
    story.begin('fix', 'value/total').end({ fact: 'fix.reported', step: story.state.open?.id ?? '', report });
    assert.equal(whyNoDoubt(story.state, p.verification()), undefined);
    story.state.ledger.burned.rewrite['value/total'] = 3;
    assert.match(whyNoDoubt(story.state, p.verification()) ?? '', /as often as it may be/);
  });

  it('stands no more once no fix is left that could put it to the test', () => {
    const story = answered();
    story.state.ledger.burned.lineage['value/total'] = 5;
    assert.equal(whyNoDoubt(story.state, p.verification()), undefined);
  });

  it('stands though fixes before it failed', () => {
    const story = between().begin('fix', 'value/total');
    story.end({ fact: 'fix.reported', step: story.state.open?.id ?? '', report });
    story.begin('fix', 'value/total').end({ fact: 'fix.reported', step: story.state.open?.id ?? '', report: { ...report, answer } });
    assert.notEqual(whyNoDoubt(story.act('write-verifications', upheld).state, p.verification()), undefined);
  });
});
