/** When a suite of the repository may contradict the work. */
import { spentOf } from '../state/fuel.ts';
import type { State } from '../state/state.ts';
import type { Verification } from '../work/verification.ts';
import { answeredDoubts, rewriteTank } from './doubt.ts';

/**
 * Tasks whose work was undone because it broke this suite. For each of them QC is asked once whether a requirement contradicts
 * the suite, while the `rewrite` tank lasts.
 */
export function brokenBy({ ledger }: State, verification: Verification): string[] {
  if (verification.kind !== 'suite') return [];
  const undone = ledger.undone.filter((u) => u.broke.includes(verification.id));
  return [...new Set(undone.flatMap(({ change: { author } }) => (author.kind === 'task' ? [author.task] : [])))];
}

/** Whether QC must still review one of these tasks. Reviews that answered a fixer's doubt were for none of them. */
export function standsInTheWay(state: State, verification: Verification): boolean {
  const tasks = brokenBy(state, verification).length;
  return tasks > 0 && tasks + answeredDoubts(state, verification) > spentOf(state.ledger, rewriteTank(verification));
}
