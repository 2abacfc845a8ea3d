/** When a suite of the repository stands in the way of the work. */
import type { State } from '../state/state.ts';
import type { Check } from '../work/check.ts';
import { answeredDoubts, rewriteTank } from './doubt.ts';

/**
 * Tasks whose work was taken back because it broke this suite. QC is asked once for each whether a requirement contradicts
 * it, as long as its looks at the lineage last.
 */
export function brokenBy({ ledger }: State, check: Check): string[] {
  if (!check.guard) return [];
  const undone = ledger.undone.filter((u) => u.broke.includes(check.id));
  return [...new Set(undone.flatMap(({ change: { author } }) => (author.kind === 'task' ? [author.task] : [])))];
}

/** Whether one of these tasks is still to be looked at: looks that answered a fixer were at none. */
export function standsInTheWay(state: State, check: Check): boolean {
  const tasks = brokenBy(state, check).length;
  return tasks > 0 && tasks + answeredDoubts(state, check) > (state.ledger.burned[rewriteTank(check)] ?? 0);
}
