/**
 * The status of a verification, and the limits of fixing it. Attempts count by lineage and by signature, so that neither a
 * rename nor another name for the cause brings new ones (I4, I9).
 */
import type { Tank } from '../state/events.ts';
import { canBurn, hasBurned, tank } from '../state/fuel.ts';
import type { State } from '../state/state.ts';
import { resultOf, type Run, type Runnable, type Verification } from '../work/verification.ts';
import { briefsFor } from '../work/research.ts';
import { strategyOf } from '../work/strategy.ts';
import { failedSinceGood } from './failed-fixes.ts';
import { isGivenUp, requiredBy, downFor } from '../services/services.ts';
import { serviceLineage, type Service } from '../work/service.ts';
import { blockerOf, deedFor, deedForLineage } from './blocker.ts';
import { currentResult, isBroken } from './trust.ts';
import { liveRunnable } from '../state/covers.ts';
import { waitsForItsTask } from './ready-tasks.ts';

export type Status = 'pending' | 'awaiting' | 'passed' | 'failed' | 'flaky' | 'blocked' | 'retired';

/**
 * Status on the current code. `pending`: no result yet. `awaiting`: red, while the work that it covers is still open; where it takes long,
 * that was on older code (`waitsForItsTask`). `blocked`: no fix is left, or only the person can do something about it. Behind a dead
 * service: `pending`, and `blocked` once it is given up.
 */
export function statusOf(state: State, verification: Verification): Status {
  const { work } = state;
  if (work.retired.includes(verification.id)) return 'retired';
  if (verification.kind === 'criterion') return criterionStatus(state, verification);
  if (downFor(state, verification)) {
    const isBlocked = (s: Service): boolean => isGivenUp(state, s) || deedForLineage(state, serviceLineage(s.name)) !== undefined;
    return requiredBy(work, verification).some(isBlocked) ? 'blocked' : 'pending';
  }
  const result = currentResult(state, verification);
  if (!result) return waitsForItsTask(state, verification) ? 'awaiting' : 'pending';
  if (result.verdict === 'green') return 'passed';
  if (result.verdict === 'flaky') return 'flaky';
  if (!isBroken(state, verification)) return 'awaiting';
  return isExhausted(state, verification) || deedFor(state, verification) ? 'blocked' : 'failed';
}

function criterionStatus(state: State, verification: Verification): Status {
  const judged = state.ledger.assessments.evaluations.findLast((e) => e.criteria.some((c) => c.verification === verification.id));
  const verdict = judged?.criteria.find((c) => c.verification === verification.id);
  if (!verdict || judged?.code !== state.work.tree.code) return 'pending';
  return verdict.met ? 'passed' : 'failed';
}

/** Tanks that a fix burns for each of its verifications: its own or, once these are empty, the reserve that a brief opens. */
export function fixTanks({ work, ledger }: State, { id, lineage }: Verification): Tank[] {
  const own = [tank('lineage', lineage), tank('signature', `${lineage}/${work.results[id]?.signature ?? ''}`)];
  return canBurn(ledger, own) || briefsFor(ledger.briefs, lineage).length === 0 ? own : [tank('reserve', lineage)];
}

/** Verifications besides the target that the open fix is made for: its decision burned their fuel too. */
export function alsoFixed({ work, open }: State, target: string): Runnable[] {
  const others = liveRunnable(work).filter((v) => v.lineage !== work.verifications[target]?.lineage);
  const isPaid = (kind: 'lineage' | 'reserve', { lineage }: Runnable): boolean => hasBurned(open?.decision, tank(kind, lineage));
  return others.filter((v) => isPaid('lineage', v) || isPaid('reserve', v));
}

/** Broken, and no fix is left for its lineage or for this failure. */
export function isExhausted(state: State, verification: Verification): boolean {
  return isBroken(state, verification) && !canBurn(state.ledger, fixTanks(state, verification));
}

/** The tank that one research session burns. */
export function researchTank({ lineage }: Verification): Tank {
  return tank('research', lineage);
}

/** After this many failed fixes research comes before the next one, if the strategy is `early`. */
const earlyAfter = 2;

/** Broken, and research must come before another fix: none is left, or the strategy is `early`. Once per lineage. */
export function isForResearch(state: State, verification: Verification): verification is Runnable {
  const { ledger } = state;
  if (!isBroken(state, verification) || blockerOf(state, verification) || !canBurn(ledger, [researchTank(verification)])) return false;
  const isEarly = strategyOf(ledger).research === 'early' && failedSinceGood(ledger, verification.lineage).length >= earlyAfter;
  return isEarly || isExhausted(state, verification);
}

/** The run that the verification's result comes from. */
export function lastRunOf({ ledger }: State, verification: Verification): Run | undefined {
  return ledger.runs[verification.lineage]?.findLast((run) => resultOf(run) !== undefined);
}

/** Whether exactly this script has a result on this code; a rewritten one has none, nor has one whose failure is stale. */
export function isCurrent(state: State, verification: Verification): boolean {
  const { id, lineage, script } = verification;
  const last = state.ledger.runs[lineage]?.findLast((run) => run.verification === id && resultOf(run));
  return currentResult(state, verification) !== undefined && last?.script === script;
}

/** The run on the current code that its status comes from. None behind a dead service, which tells more than an old result. */
export function currentRunOf(state: State, verification: Verification): Run | undefined {
  const { code } = state.work.tree;
  if (!currentResult(state, verification) || downFor(state, verification)) return undefined;
  return state.ledger.runs[verification.lineage]?.findLast((run) => resultOf(run)?.code === code);
}

/** Verifications that the open research is made for: its decision burned their fuel. */
export function researched({ work, open }: State): Runnable[] {
  return liveRunnable(work).filter((v) => hasBurned(open?.decision, researchTank(v)));
}
