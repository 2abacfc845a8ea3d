/** Work that was taken back only for what is judged otherwise now: it is put back and judged anew, and nobody builds it again. Pure. */
import type { State } from '../state/state.ts';
import type { Change } from '../work/tree.ts';
import type { Task, TaskReport } from '../work/task.ts';

export interface Restorable {
  change: Change;
  report: TaskReport;
}

/**
 * The task's change that was taken back last, where all that it broke was written anew or retired since, nothing else changed in the
 * tree, and nobody asks for something else.
 */
export function restorable(state: State, { id, setback, reopened }: Task): Restorable | undefined {
  const { undone, changes } = state.ledger;
  const last = undone.at(-1);
  if (!last?.report) return undefined;
  const { change, why, broke, report } = last;
  if (change.author.kind !== 'task' || change.author.task !== id || change.n !== changes) return undefined;
  const isAsBefore = setback === why && reopened === undefined && !isAskedAnew(state, change);
  return isAsBefore && broke.length > 0 && broke.every((one) => isJudgedAnew(state, one)) ? { change, report } : undefined;
}

/** By a course correction, or in the person's words. */
function isAskedAnew({ ledger: { decisions, words } }: State, { n }: Change): boolean {
  const settled = decisions.findLastIndex(({ decision: { action, target } }) => action === 'settle' && target === String(n));
  return (
    decisions.slice(settled + 1).some(({ decision }) => decision.action === 'course-correct') ||
    words.some((word) => word.decisions > settled)
  );
}

/** Not the script that was red with the change. */
function isJudgedAnew({ work, ledger }: State, id: string): boolean {
  const verification = work.verifications[id];
  if (!verification) return false;
  const red = ledger.runs[verification.lineage]?.findLast((run) => run.where === 'tree' && run.code === null && run.verdict === 'red');
  return red !== undefined && (work.retired.includes(id) || red.script !== verification.script);
}
