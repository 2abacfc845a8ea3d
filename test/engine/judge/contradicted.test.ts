/** What the ending says of a verification that is not green: which requirement it was never green together with, and who doubts it. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { whyContradicted } from '../../../src/engine/judge/contradicted.ts';
import { ending } from '../../../src/engine/judge/ending.ts';
import type { Fact } from '../../../src/engine/work/facts.ts';
import type { Run } from '../../../src/engine/work/verification.ts';
import { refOf, type Story } from '../support/events.ts';
import * as p from '../support/parts.ts';

const total = p.verification();
const sum = p.verification({ id: 'value/sum', lineage: 'value/sum', script: refOf('sum'), prd: ['2', 'V1'] });
const ran = (over: Partial<Run> = {}): Fact => ({ fact: 'verification.ran', run: p.run(over) });
const ranSum = (over: Partial<Run> = {}): Fact => ran({ verification: 'value/sum', lineage: 'value/sum', script: sum.script, ...over });

/** Built: `value/total` is red, `value/sum` is green. */
function between(): Story {
  const story = p.built(p.awaiting(p.planned().act('write-verifications', { fact: 'verification.written', verification: sum })));
  const { step } = story.state.work.tree.change ?? p.change();
  const settled: Fact = { fact: 'tree.settled', settled: p.settled({ step }) };
  return story.act('settle', settled, ran({ n: 2, code: 1, verdict: 'red' }), ranSum({ code: 1 }));
}

interface Fixed {
  green: boolean;
  broke?: string[];
}

/** A fix of `value/total` is taken back. */
function takenBack(story: Story, { green, broke = ['value/sum'] }: Fixed): Story {
  story.begin('fix', 'value/total');
  const change = p.change({ n: story.state.ledger.changes + 1, author: p.byFix, step: story.state.open?.id ?? '' });
  story.end({ fact: 'tree.changed', change });
  const runs = [ran({ n: 3, code: null, verdict: green ? 'green' : 'red' }), ranSum({ n: 2, code: null, verdict: 'red' })];
  return story.act('settle', ...runs, { fact: 'tree.undone', change, why: 'fix of value/total broke value/sum', broke });
}

const apart = 'no work had 1 (value/total) together with 2, V1 (value/sum); 2 changes for it broke what was green, and were taken back';

describe('a verification that was green only where another one broke', () => {
  it('is told with the numbers of both requirements, at the end of the sprint', () => {
    const { state } = takenBack(takenBack(between(), { green: true }), { green: false });
    assert.equal(whyContradicted(state, total), apart);
    assert.ok(ending(state).reasons.includes(`Verification value/total is not green: ${apart}.`));
  });

  const silent: { when: string; story: () => Story }[] = [
    { when: 'only one change broke it, which may have been careless', story: () => takenBack(between(), { green: true }) },
    { when: 'no change ever turned it green', story: () => takenBack(takenBack(between(), { green: false }), { green: false }) },
    {
      when: 'one of two changes broke nothing',
      story: () => takenBack(takenBack(between(), { green: true }), { green: true, broke: [] }),
    },
    {
      when: 'the changes broke nothing',
      story: () => takenBack(takenBack(between(), { green: true, broke: [] }), { green: true, broke: [] }),
    },
    {
      when: 'it was green on a tree that was kept, so both can be had',
      story: () => takenBack(takenBack(between().act('run-verifications', ran({ n: 3, code: 1 })), { green: true }), { green: true }),
    },
    {
      when: 'what broke is retired',
      story: () =>
        takenBack(takenBack(between(), { green: true }), { green: true }).act('write-verifications', {
          fact: 'verification.retired',
          id: 'value/sum',
          why: 'gone',
        }),
    },
  ];
  for (const { when, story } of silent)
    it(`says nothing where ${when}`, () => assert.equal(whyContradicted(story().state, total), undefined));

  it('is told of a builder’s work, too, and only of work for its own requirement', () => {
    const story = between();
    for (const n of [2, 3]) {
      const change = p.change({ n });
      story.act('execute', { fact: 'tree.changed', change });
      story.act('settle', ran({ n: n + 1, code: null }), { fact: 'tree.undone', change, why: 'T1 broke value/sum', broke: ['value/sum'] });
    }
    assert.equal(whyContradicted(story.state, total), apart);
    assert.equal(whyContradicted(story.state, p.verification({ ...total, lineage: 'value/other', script: refOf('other') })), undefined);
  });
});

describe('a verification that was said to be wrong', () => {
  const answer = { kind: 'doubt' as const, evidence: '1 says 5,\nthe script 6.', script: total.script };
  const report = {
    lineage: 'value/total',
    verification: 'value/total',
    also: [],
    signature: '',
    fixApplied: 'x',
    filesChanged: [],
    reasoning: 'y',
  };
  const doubted: Fact = { fact: 'fix.reported', step: 's', report: { ...report, answer } };

  it('is told with the claim and with QC’s answer', () => {
    const story = between().act('fix', doubted);
    const claim = '1 (value/total) was said to be wrong: 1 says 5, the script 6';
    assert.equal(whyContradicted(story.state, total), claim);
    story.act('write-verifications', { fact: 'verification.upheld', lineage: 'value/total', script: total.script, why: '6 is right.' });
    assert.equal(whyContradicted(story.state, total), `${claim}; QC answers that it is right: 6 is right`);
  });

  it('is not told of another text of it', () => {
    assert.equal(whyContradicted(between().act('fix', doubted).state, p.verification({ script: refOf('new') })), undefined);
  });
});
