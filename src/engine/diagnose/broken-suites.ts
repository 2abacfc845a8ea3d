/** When a suite of the repository stands in the way of the work. */
import { spentOf } from '../state/fuel.ts';
import type { State } from '../state/state.ts';
import type { Verification } from '../work/verification.ts';
import { answeredDoubts, rewriteTank } from './doubt.ts';

/**
 * Tasks whose work was taken back because it broke this suite. QC is asked once for each whether a requirement contradicts
 * it, as long as its looks at the lineage last.
 */
export function brokenBy({ ledger }: State, verification: Verification): string[] {
  if (verification.kind !== 'suite') return [];
  const undone = ledger.undone.filter((u) => u.broke.includes(verification.id));
  return [...new Set(undone.flatMap(({ change: { author } }) => (author.kind === 'task' ? [author.task] : [])))];
}

/** Whether one of these tasks is still to be looked at: looks that answered a fixer were at none. */
export function standsInTheWay(state: State, verification: Verification): boolean {
  const tasks = brokenBy(state, verification).length;
  return tasks > 0 && tasks + answeredDoubts(state, verification) > spentOf(state.ledger, rewriteTank(verification));
}
