/** When a verification was last green, and whose change may have broken it: both worked out from runs and commits. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { renderHistory } from '../../../src/engine/render/history.ts';
import { renderReport } from '../../../src/engine/render/report.ts';
import { brokenBy, lastGreenWords } from '../../../src/engine/judge/last-green.ts';
import type { Run } from '../../../src/engine/work/verification.ts';
import { changed, refOf } from '../support/events.ts';
import * as p from '../support/parts.ts';

const fixed = { kind: 'fix' as const, lineage: 'x', verification: 'value/tax', also: [] };
const commits = [
  p.settled({ code: 1, commit: 'aaaaaaaaaaaa' }),
  p.settled({ code: 2, commit: 'bbbbbbbbbbbb', author: { kind: 'task', task: 'T2' } }),
  p.settled({ code: 3, commit: 'cccccccccccc', author: fixed }),
];
/** The verification ran so, on the tree of three commits. */
const after = (...runs: Partial<Run>[]) =>
  changed(p.planned().act('write-verifications', { fact: 'verification.written', verification: p.verification() }).state, (s) => {
    Object.assign(s.work.tree, { code: 3, commits: structuredClone(commits) });
    s.ledger.runs['value/total'] = runs.map((over, i) => p.run({ n: i + 1, ...over }));
  });

describe('last green', () => {
  const table: [string, Partial<Run>[], string][] = [
    ['never run', [], 'never green'],
    ['only red', [{ verdict: 'red', code: 3 }], 'never green'],
    ['green on the base commit', [{ code: 0 }], 'last green before any change (commit base)'],
    ['green now', [{ verdict: 'red' }, { code: 1 }, { code: 3 }], 'last green after change 3 (commit cccccccccc)'],
    [
      'broken by the next change',
      [{ code: 1 }, { verdict: 'red', code: 2 }, { verdict: 'red', code: 3 }],
      'last green after change 1 (commit aaaaaaaaaa), broken by T2',
    ],
    [
      'broken by a fix',
      [{ code: 2 }, { verdict: 'red', code: 3 }],
      'last green after change 2 (commit bbbbbbbbbb), broken by fix of value/tax',
    ],
    [
      'not run for a while',
      [{ code: 1 }, { verdict: 'red', code: 3 }],
      'last green after change 1 (commit aaaaaaaaaa), broken by one of: T2, fix of value/tax',
    ],
    [
      'red only on a change that was not kept',
      [{ code: 1 }, { verdict: 'red', code: null }],
      'last green after change 1 (commit aaaaaaaaaa)',
    ],
    ['green on a change that was not kept', [{ code: 1 }, { code: null }], 'last green after change 1 (commit aaaaaaaaaa)'],
    [
      'red and green where the work was changed for a proof',
      [{ code: 1 }, { where: 'revert', code: 3, verdict: 'red' }, { where: 'revert', code: 3 }],
      'last green after change 1 (commit aaaaaaaaaa)',
    ],
    ['green as another script', [{ code: 1, script: refOf('other') }], 'never green'],
    ['flaky since', [{ code: 1 }, { verdict: 'flaky', code: 3 }], 'last green after change 1 (commit aaaaaaaaaa)'],
  ];
  for (const [what, runs, words] of table)
    it(`of a verification ${what}: ${words}`, () => {
      assert.equal(lastGreenWords(after(...runs), p.verification()), words);
    });

  it('names the very commits', () => {
    const state = after({ code: 1 }, { verdict: 'red', code: 3 });
    assert.deepEqual(brokenBy(state, p.verification()), commits.slice(1));
  });

  it('is in the history and in the report', () => {
    const state = after({ code: 1 }, { verdict: 'red', code: 2 });
    const words = 'ast green after change 1 (commit aaaaaaaaaa), broken by T2';
    assert.ok(renderHistory(state, p.verification()).endsWith(`\n\nL${words}.`));
    assert.ok(renderReport(state).includes(`, the total is printed: not run yet; l${words}`));
  });
});
