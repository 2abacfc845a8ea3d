/** Whether the final tree is used and assessed by one agent or by two (docs/decisions/0032). */
import type { State } from '../state/state.ts';
import { coverage, finalOf } from './ending.ts';

/** In a sprint of at most so many tasks, two agents would look at the same few things. */
export const smallSprint = 5;

/** Whether who uses the final tree also says how much of the Vision's value is there. Older sprints, without this tank, go on with two. */
export function isOneLook(state: State): boolean {
  const { vrc, evaluation } = finalOf(state);
  const tasks = new Set(state.work.tree.commits.flatMap(({ author }) => (author.kind === 'task' ? [author.task] : [])));
  return (
    state.ledger.sizes['lenses'] !== undefined &&
    tasks.size <= smallSprint &&
    (!vrc || vrc.fallback) &&
    (!evaluation || evaluation.fallback)
  );
}

/** How many requirements there are, and how many of them the engine takes for proven. */
export function countProven(state: State): { verified: number; total: number } {
  const all = coverage(state);
  return { verified: all.filter(({ provenBy }) => provenBy).length, total: all.length };
}
