/** Which fixes did not mend (I5): one answer, of which what is asked since the last green, and of repetitions, are parts. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { State } from '../../../src/engine/state/state.ts';
import { failedFixes, failedSinceGood } from '../../../src/engine/judge/failed-fixes.ts';
import { changesThatFailed } from '../../../src/engine/diagnose/same-change.ts';
import type { Run } from '../../../src/engine/work/verification.ts';
import type { FixRecord } from '../../../src/engine/work/fix.ts';
import { changed } from '../support/events.ts';
import * as p from '../support/parts.ts';

const red = (over: Partial<Run> = {}): Run => p.run({ verdict: 'red', code: 1, ...over });
const green = p.run({ code: 1 });
const fix = (step: string, after: number, over: Partial<FixRecord> = {}): FixRecord => ({
  ...p.byFix,
  signature: 'x',
  fixApplied: 'x',
  filesChanged: [],
  reasoning: 'x',
  answer: { kind: 'fixed' },
  step,
  after,
  outcome: 'kept',
  why: '',
  files: [],
  ...over,
});

function seen(runs: Run[], ...fixes: FixRecord[]): State {
  return changed(p.awaiting().state, (s) => {
    s.ledger.runs = { 'value/total': runs };
    s.ledger.fixes = { 'value/total': fixes };
    s.ledger.undone = [{ change: p.change({ author: p.byFix, step: 'broke' }), why: 'x', broke: ['value/tax'] }];
  });
}

describe('a failed fix', () => {
  const undone = { outcome: 'undone' as const };
  const cases: [string, State, ever: string[], sinceGood: string[], repeated: string[]][] = [
    ['was kept, and its verification was red next', seen([red(), red()], fix('a', 1)), ['a'], ['a'], ['a']],
    ['is none where the verification was green next, and red later', seen([red(), green, red()], fix('a', 1)), [], [], []],
    ['was before a green, and is no reason for another way any more', seen([red(), red(), green, red()], fix('a', 1)), ['a'], [], ['a']],
    ['is not known where nothing was run since', seen([red()], fix('a', 1)), [], [], []],
    [
      'is not known by a run of a change that was not kept, or of a proof',
      seen([red(), red({ code: null }), red({ where: 'revert', code: null })], fix('a', 1)),
      [],
      [],
      [],
    ],
    ['is known by the first run that tells', seen([red(), red({ code: null }), red({ code: 2 })], fix('a', 1)), ['a'], ['a'], ['a']],
    ['broke something', seen([red()], fix('broke', 1, undone)), ['broke'], ['broke'], ['broke']],
    ['was taken back for another reason, and may be tried again', seen([red()], fix('a', 1, undone)), ['a'], ['a'], []],
    ['changed nothing', seen([red()], fix('a', 1, { outcome: 'no change' })), ['a'], ['a'], []],
    ['is none while it is open', seen([red()], fix('a', 1, { outcome: 'open' })), [], [], []],
    [
      'is none where it calls the verification wrong',
      seen([red()], fix('a', 1, { ...undone, answer: { kind: 'doubt', evidence: 'x', script: green.script } })),
      [],
      [],
      [],
    ],
  ];
  for (const [what, state, ...expected] of cases)
    it(what, () => {
      const found = [
        failedFixes(state.ledger, 'value/total'),
        failedSinceGood(state.ledger, 'value/total'),
        changesThatFailed(state, 'value/total'),
      ];
      assert.deepEqual(
        found.map((fixes) => fixes.map(({ step }) => step)),
        expected,
      );
    });
});
