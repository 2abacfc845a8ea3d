/** The report says of a verification that it was written again after it had met work, and after what. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { renderReport } from '../../../src/engine/render/report.ts';
import type { Fact } from '../../../src/engine/work/facts.ts';
import { refOf, type Story } from '../support/events.ts';
import * as p from '../support/parts.ts';

const { script: first } = p.verification();
const writtenAs = (text: string, more = {}): Fact => ({
  fact: 'verification.written',
  verification: p.verification({ script: refOf(text), ...more }),
});
const again = writtenAs('again');
const met: Fact = { fact: 'verification.ran', run: p.run({ n: 5, code: 1 }) };

const doubt = (evidence: string, script = first): Fact => ({
  fact: 'fix.reported',
  step: 's12',
  report: {
    ...p.byFix,
    signature: 'test_failure-1',
    fixApplied: 'nothing',
    filesChanged: [],
    reasoning: 'it is the script',
    answer: { kind: 'doubt', evidence, script },
  },
});
const upheld: Fact = { fact: 'verification.upheld', lineage: 'value/total', script: first, why: 'requirement 1 says 6' };
const failed: Fact = {
  fact: 'verification.proven',
  proof: { lineage: 'value/total', script: first, kind: 'control', code: 1, outcome: 'not-red', why: 'it reads the text' },
};
const found: Fact = {
  fact: 'evaluation.reported',
  evaluation: p.evaluation({
    findings: [
      {
        severity: 'degraded',
        description: 'It forgets the tax.',
        userImpact: 'wrong',
        suggestedFix: '',
        evidence: 'seen',
        unseen: { by: ['value/total'], scripts: [first] },
      },
    ],
  }),
};
const measured: Fact = {
  fact: 'verification.measured',
  measure: { lineage: 'value/total', script: first, code: 1, trials: [], reached: {}, limits: [] },
};

/** The line below the verification's, if there is one. */
function wordsOf(story: Story): string | undefined {
  return /\n {2}- \[value\/total\][^\n]*\n {4}- (.*)/.exec(renderReport(story.state))?.[1];
}

describe('a verification that was written again', () => {
  const rows: [what: string, facts: Fact[], words: string | undefined][] = [
    ['never', [met], undefined],
    ['before there was work', [again], undefined],
    ['for a reason that nobody wrote down', [met, again], 'Written again once.'],
    ['after a doubt', [doubt('the PRD\nsays 5.'), again], 'Written again once, after a doubt: the PRD says 5.'],
    [
      'after a doubt that was answered',
      [met, doubt('it says 5'), upheld, failed, again],
      'Written again once, after it failed the control: it reads the text.',
    ],
    ['after a finding', [met, measured, found, again], 'Written again once, after it did not see what was found: It forgets the tax.'],
    ['after a measure', [met, measured, again], 'Written again once, after it was measured which faults it sees.'],
    [
      'twice',
      [met, again, doubt('it asks too early', refOf('again')), writtenAs('third')],
      'Written again twice, last after a doubt: it asks too early.',
    ],
    ['with another helper alone', [met, writtenAs('again', { sameCode: [first] })], undefined],
  ];
  for (const [what, facts, words] of rows)
    it(`is told where it was: ${what}`, () => assert.equal(wordsOf(p.awaiting().act('write-verifications', ...facts)), words));

  it('is told in short', () => {
    const words = wordsOf(p.awaiting().act('write-verifications', doubt('so it is, '.repeat(99)), again));
    assert.ok(words && words.length < 300 && words.endsWith('…'), words);
  });
});
