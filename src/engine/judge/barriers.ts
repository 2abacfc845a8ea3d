/**
 * Which verifications do not run because a more basic one is broken (docs/decisions/0013).
 *
 * Only a broken verification of tier health or smoke is a barrier, and only while it can still be fixed: an unaffordable or
 * blocked one is none, or it would hold back for ever; nor is one that is red before its work is built. What is held back has no
 * result on this code, so it never counts as green.
 */
import type { State } from '../state/state.ts';
import { isRunnable, resultOf, type Run, type Runnable, type Verification } from '../work/verification.ts';
import { blockerOf } from './blocker.ts';
import { isExhausted } from './status.ts';
import { isHard, rankOf } from '../work/tier.ts';
import { isBroken } from './trust.ts';
import { liveRunnable } from '../state/covers.ts';

/** Verifications that hold others back now, the lowest tier first. */
export function barriersOf(state: State): Runnable[] {
  if (state.ledger.budgetReached !== null) return [];
  return liveRunnable(state.work)
    .filter(
      (verification) =>
        isHard(verification) && isBroken(state, verification) && !blockerOf(state, verification) && !isExhausted(state, verification),
    )
    .sort((a, b) => rankOf(a) - rankOf(b));
}

/** The one that holds this verification back; undefined if it may run. */
export function barrierOf(verification: Verification, barriers: readonly Runnable[]): Runnable | undefined {
  return isRunnable(verification) ? barriers.find((barrier) => rankOf(barrier) < rankOf(verification)) : undefined;
}

/** The state with the results of these runs, which the batch that made them has not recorded yet. */
export function withRuns(state: State, runs: Iterable<Run>): State {
  const results = { ...state.work.results };
  for (const run of runs) {
    const result = resultOf(run);
    if (result) results[run.verification] = result;
  }
  return { ...state, work: { ...state.work, results } };
}
