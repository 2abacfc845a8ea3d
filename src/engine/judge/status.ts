/**
 * What state a check is in, for people, and where the bounds of mending it are (design §5): counted by lineage and by
 * signature, so that neither a rename nor another name for the cause brings new attempts (I4, I9).
 */
import type { Tank } from '../state/events.ts';
import { canBurn } from '../state/fuel.ts';
import type { State } from '../state/state.ts';
import { resultOf, type Check, type CheckRun } from '../work/check.ts';
import { briefsFor } from '../work/research.ts';
import { strategyOf } from '../work/strategy.ts';
import { failedSinceGood } from './failed-fixes.ts';
import { isGivenUp, requiredBy, downFor } from '../services/services.ts';
import { isBroken } from './trust.ts';
import { liveChecks } from '../state/covers.ts';

export type CheckStatus = 'pending' | 'awaiting' | 'passed' | 'failed' | 'flaky' | 'blocked' | 'retired';

/**
 * What a person sees, of this code: `pending` has no result on it, `awaiting` is red while the work it waits for is still open.
 * Behind a dead service: `pending`, then `blocked`.
 */
export function statusOf(state: State, check: Check): CheckStatus {
  const { work } = state;
  if (work.retired.includes(check.id)) return 'retired';
  if (check.kind === 'criterion') return criterionStatus(state, check);
  if (downFor(state, check)) return requiredBy(work, check).some((s) => isGivenUp(state, s)) ? 'blocked' : 'pending';
  const result = work.results[check.id];
  if (result?.code !== work.tree.code) return 'pending';
  if (result.verdict === 'green') return 'passed';
  if (result.verdict === 'flaky') return 'flaky';
  if (!isBroken(state, check)) return 'awaiting';
  return isExhausted(state, check) ? 'blocked' : 'failed';
}

function criterionStatus(state: State, check: Check): CheckStatus {
  const judged = state.ledger.assessments.evaluations.findLast((e) => e.criteria.some((c) => c.check === check.id));
  const verdict = judged?.criteria.find((c) => c.check === check.id);
  if (!verdict || judged?.code !== state.work.tree.code) return 'pending';
  return verdict.met ? 'passed' : 'failed';
}

/** What one fix burns for each check that it is made for: its own, and once they are empty the reserve that a brief opens. */
export function fixTanks({ work, ledger }: State, { id, lineage }: Check): Tank[] {
  const own = [`lineage/${lineage}`, `signature/${lineage}/${work.results[id]?.signature ?? ''}`];
  return canBurn(ledger, own) || briefsFor(ledger.briefs, lineage).length === 0 ? own : [`reserve/${lineage}`];
}

/** Checks besides the target that the open fix is made for: its decision burned their fuel too. */
export function alsoFixed({ work, open }: State, target: string): Check[] {
  const burned = new Set(open?.decision.burns);
  const others = liveChecks(work).filter((c) => c.lineage !== work.checks[target]?.lineage);
  return others.filter((c) => burned.has(`lineage/${c.lineage}`) || burned.has(`reserve/${c.lineage}`));
}

/** Broken, and no fix is left for its lineage or for this failure. */
export function isExhausted(state: State, check: Check): boolean {
  return isBroken(state, check) && !canBurn(state.ledger, fixTanks(state, check));
}

/** What one lookup burns. */
export function researchTank({ lineage }: Check): Tank {
  return `research/${lineage}`;
}

/** Failed fixes from which on a failure is looked up before the next, where the strategy says so. */
const earlyAfter = 2;

/** Broken, and to be looked up before anything else is tried: no fix is left, or the strategy is to look early. Once a lineage. */
export function isForResearch(state: State, check: Check): boolean {
  const { ledger } = state;
  if (!isBroken(state, check) || !canBurn(ledger, [researchTank(check)])) return false;
  const isEarly = strategyOf(ledger).research === 'early' && failedSinceGood(ledger, check.lineage).length >= earlyAfter;
  return isEarly || isExhausted(state, check);
}

/** The run that a check's result is from. */
export function lastRunOf({ ledger }: State, check: Check): CheckRun | undefined {
  return ledger.runs[check.lineage]?.findLast((r) => r.where !== 'revert' && r.code !== null);
}

/** The run that its status comes from: on the code as it is. None behind a dead service, which says more than an old result. */
export function currentRunOf(state: State, check: Check): CheckRun | undefined {
  const { code } = state.work.tree;
  if (state.work.results[check.id]?.code !== code || downFor(state, check)) return undefined;
  return state.ledger.runs[check.lineage]?.findLast((run) => resultOf(run)?.code === code);
}

/** Checks that the open research is made for: its decision burned their fuel. */
export function researched({ work, open }: State): Check[] {
  return liveChecks(work).filter((c) => open?.decision.burns.includes(researchTank(c)));
}
