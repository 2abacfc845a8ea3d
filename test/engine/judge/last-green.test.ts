/** When a verification was last green, and which change may have broken it, computed from runs and commits. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { renderHistory } from '../../../src/engine/render/history.ts';
import { renderReport } from '../../../src/engine/render/report.ts';
import { brokenBy, lastGreenWords } from '../../../src/engine/judge/last-green.ts';
import type { Run } from '../../../src/engine/work/verification.ts';
import { changed, refOf } from '../support/events.ts';
import * as p from '../support/parts.ts';

const byOtherFix = { kind: 'fix' as const, lineage: 'x', verification: 'value/tax', also: [] };
const commits = [
  p.settled({ code: 1, commit: 'aaaaaaaaaaaa' }),
  p.settled({ code: 2, commit: 'bbbbbbbbbbbb', author: { kind: 'task', task: 'T2' } }),
  p.settled({ code: 3, commit: 'cccccccccccc', author: byOtherFix }),
];
/** A state with these runs of the verification, on a tree with three commits. */
const after = (...runs: Partial<Run>[]) =>
  changed(p.planned().act('write-verifications', { fact: 'verification.written', verification: p.verification() }).state, (s) => {
    Object.assign(s.work.tree, { code: 3, commits: structuredClone(commits) });
    s.ledger.runs['value/total'] = runs.map((over, i) => p.run({ n: i + 1, ...over }));
  });

describe('last green', () => {
  const cases: { what: string; runs: Partial<Run>[]; words: string }[] = [
    { what: 'never run', runs: [], words: 'never green' },
    { what: 'only red', runs: [{ verdict: 'red', code: 3 }], words: 'never green' },
    { what: 'green on the base commit', runs: [{ code: 0 }], words: 'last green before any change (commit base)' },
    { what: 'green now', runs: [{ verdict: 'red' }, { code: 1 }, { code: 3 }], words: 'last green after change 3 (commit cccccccccc)' },
    {
      what: 'broken by the next change',
      runs: [{ code: 1 }, { verdict: 'red', code: 2 }, { verdict: 'red', code: 3 }],
      words: 'last green after change 1 (commit aaaaaaaaaa), broken by T2',
    },
    {
      what: 'broken by a fix',
      runs: [{ code: 2 }, { verdict: 'red', code: 3 }],
      words: 'last green after change 2 (commit bbbbbbbbbb), broken by fix of value/tax',
    },
    {
      what: 'not run for a while',
      runs: [{ code: 1 }, { verdict: 'red', code: 3 }],
      words: 'last green after change 1 (commit aaaaaaaaaa), broken by one of: T2, fix of value/tax',
    },
    {
      what: 'red only on a change that was not kept',
      runs: [{ code: 1 }, { verdict: 'red', code: null }],
      words: 'last green after change 1 (commit aaaaaaaaaa)',
    },
    {
      what: 'green on a change that was not kept',
      runs: [{ code: 1 }, { code: null }],
      words: 'last green after change 1 (commit aaaaaaaaaa)',
    },
    {
      what: 'red and green in proofs',
      runs: [{ code: 1 }, { where: 'revert', code: 3, verdict: 'red' }, { where: 'revert', code: 3 }],
      words: 'last green after change 1 (commit aaaaaaaaaa)',
    },
    { what: 'green as another script', runs: [{ code: 1, script: refOf('other') }], words: 'never green' },
    { what: 'flaky since', runs: [{ code: 1 }, { verdict: 'flaky', code: 3 }], words: 'last green after change 1 (commit aaaaaaaaaa)' },
  ];
  for (const { what, runs, words } of cases)
    it(`of a verification that is ${what}: ${words}`, () => {
      assert.equal(lastGreenWords(after(...runs), p.verification()), words);
    });

  it('names the exact commits', () => {
    const state = after({ code: 1 }, { verdict: 'red', code: 3 });
    assert.deepEqual(brokenBy(state, p.verification()), commits.slice(1));
  });

  it('appears in the history and in the report', () => {
    const state = after({ code: 1 }, { verdict: 'red', code: 2 });
    const words = 'ast green after change 1 (commit aaaaaaaaaa), broken by T2';
    assert.ok(renderHistory(state, p.verification()).endsWith(`\n\nL${words}.`));
    assert.ok(renderReport(state).includes(`, the total is printed (no result yet; l${words})`));
  });
});
