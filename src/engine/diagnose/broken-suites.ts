/** When a suite of the repository may contradict the work. */
import { spentOf } from '../state/fuel.ts';
import type { State } from '../state/state.ts';
import type { Author } from '../work/tree.ts';
import type { Verification } from '../work/verification.ts';
import { turnedGreen } from './contradictions.ts';
import { answeredDoubts, rewriteTank } from './doubt.ts';

/**
 * Work that was taken back because it broke this suite: of tasks, and fixes that turned their own verification green. For each task
 * and each verification QC is asked once whether a requirement contradicts the suite, while the `rewrite` tank lasts.
 */
export function undoneFor(state: State, verification: Verification): Author[] {
  if (verification.kind !== 'suite') return [];
  const undone = state.ledger.undone.filter((u) => u.broke.includes(verification.id));
  const authors = undone.flatMap(({ change: { author, step } }) => (author.kind === 'task' || isRight(state, author, step) ? author : []));
  return [...new Map(authors.map((author) => [author.kind === 'task' ? author.task : author.lineage, author])).values()];
}

/** Whether the fix did what it was for. */
function isRight({ work, ledger }: State, { verification }: Extract<Author, { kind: 'fix' }>, step: string): boolean {
  const own = work.verifications[verification];
  return own !== undefined && turnedGreen(ledger, own, step);
}

/** Whether QC must still review one of these. Reviews that answered a fixer's doubt were for none of them. */
export function standsInTheWay(state: State, verification: Verification): boolean {
  const authors = undoneFor(state, verification).length;
  return authors > 0 && authors + answeredDoubts(state, verification) > spentOf(state.ledger, rewriteTank(verification));
}
