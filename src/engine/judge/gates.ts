/**
 * Which verifications are not run because one that they build upon is broken (spec/2 change 5, spec/1 §7.2). Pure (I3).
 *
 * Only a broken one of tier health or smoke gates, and only while a fix may come: red before its work is built is evidence
 * and no gate, and what is blocked, or cannot be mended for want of money, would gate for ever. What is gated has no result
 * on this code, and so never counts as green.
 */
import type { State } from '../state/state.ts';
import { isRunnable, resultOf, type Run, type Runnable, type Verification } from '../work/verification.ts';
import { isExhausted } from './status.ts';
import { isHard, rankOf } from '../work/tier.ts';
import { isBroken } from './trust.ts';
import { liveRunnable } from '../state/covers.ts';

/** Those that gate now, the lowest tier first. */
export function closedGates(state: State): Runnable[] {
  if (state.ledger.budgetReached !== null) return [];
  return liveRunnable(state.work)
    .filter((verification) => isHard(verification) && isBroken(state, verification) && !isExhausted(state, verification))
    .sort((a, b) => rankOf(a) - rankOf(b));
}

/** The one that gates this check; undefined where it may run. */
export function gateOf(verification: Verification, gates: readonly Runnable[]): Runnable | undefined {
  return isRunnable(verification) ? gates.find((gate) => rankOf(gate) < rankOf(verification)) : undefined;
}

/** The state as it will be with these runs: what a batch that is under way has found so far. */
export function withRuns(state: State, runs: Iterable<Run>): State {
  const results = { ...state.work.results };
  for (const run of runs) {
    const result = resultOf(run);
    if (result) results[run.verification] = result;
  }
  return { ...state, work: { ...state.work, results } };
}
