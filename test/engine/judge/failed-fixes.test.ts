/** Which fixes failed (I5): ever, since the last green run, and by a change that must not be repeated. */
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

function stateWith(runs: Run[], ...fixes: FixRecord[]): State {
  return changed(p.awaiting().state, (s) => {
    s.ledger.runs = { 'value/total': runs };
    s.ledger.fixes = { 'value/total': fixes };
    s.ledger.undone = [{ change: p.change({ author: p.byFix, step: 'broke' }), why: 'x', broke: ['value/tax'] }];
  });
}

describe('a failed fix', () => {
  const undone = { outcome: 'undone' as const };
  const cases: { what: string; state: State; ever: string[]; sinceGood: string[]; repeated: string[] }[] = [
    {
      what: 'was kept, and the next run was red',
      state: stateWith([red(), red()], fix('a', 1)),
      ever: ['a'],
      sinceGood: ['a'],
      repeated: ['a'],
    },
    {
      what: 'is not a fix after which the next run was green, even if a later one was red',
      state: stateWith([red(), green, red()], fix('a', 1)),
      ever: [],
      sinceGood: [],
      repeated: [],
    },
    {
      what: 'stays failed after a later green run, but does not count since the last green',
      state: stateWith([red(), red(), green, red()], fix('a', 1)),
      ever: ['a'],
      sinceGood: [],
      repeated: ['a'],
    },
    { what: 'is unknown before the next run', state: stateWith([red()], fix('a', 1)), ever: [], sinceGood: [], repeated: [] },
    {
      what: 'is unknown after a run of an undone change or of a proof',
      state: stateWith([red(), red({ code: null }), red({ where: 'revert', code: null })], fix('a', 1)),
      ever: [],
      sinceGood: [],
      repeated: [],
    },
    {
      what: 'is known from the first run on a kept change',
      state: stateWith([red(), red({ code: null }), red({ code: 2 })], fix('a', 1)),
      ever: ['a'],
      sinceGood: ['a'],
      repeated: ['a'],
    },
    {
      what: 'broke another verification',
      state: stateWith([red()], fix('broke', 1, undone)),
      ever: ['broke'],
      sinceGood: ['broke'],
      repeated: ['broke'],
    },
    {
      what: 'was undone for another reason, so its change may be repeated',
      state: stateWith([red()], fix('a', 1, undone)),
      ever: ['a'],
      sinceGood: ['a'],
      repeated: [],
    },
    {
      what: 'changed nothing',
      state: stateWith([red()], fix('a', 1, { outcome: 'no change' })),
      ever: ['a'],
      sinceGood: ['a'],
      repeated: [],
    },
    {
      what: 'is not a fix that is still open',
      state: stateWith([red()], fix('a', 1, { outcome: 'open' })),
      ever: [],
      sinceGood: [],
      repeated: [],
    },
    {
      what: 'is not a fix that doubts the verification',
      state: stateWith([red()], fix('a', 1, { ...undone, answer: { kind: 'doubt', evidence: 'x', script: green.script } })),
      ever: [],
      sinceGood: [],
      repeated: [],
    },
  ];
  for (const { what, state, ever, sinceGood, repeated } of cases)
    it(what, () => {
      const fixes = [
        failedFixes(state.ledger, 'value/total'),
        failedSinceGood(state.ledger, 'value/total'),
        changesThatFailed(state, 'value/total'),
      ];
      assert.deepEqual(
        fixes.map((list) => list.map(({ step }) => step)),
        [ever, sinceGood, repeated],
      );
    });
});
