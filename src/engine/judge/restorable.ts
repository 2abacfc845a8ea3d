/** Work that was taken back only for what is judged otherwise now: it is put back and judged anew, and nobody makes it again. Pure. */
import type { Undone } from '../state/ledger.ts';
import type { State } from '../state/state.ts';
import { fixReport, type FixReport } from '../work/fix.ts';
import type { Author, Change } from '../work/tree.ts';
import type { Task, TaskReport } from '../work/task.ts';
import type { Verification } from '../work/verification.ts';

interface Restorable<Report> {
  change: Change;
  report: Report;
}

/** The work of a task's last attempt, as its builder reported it; undefined where it has to be built. */
export function restorableWork(state: State, { id, setback, reopened }: Task): Restorable<TaskReport> | undefined {
  const last = lastUndone(state, (author) => author.kind === 'task' && author.task === id);
  return last?.report && setback === last.why && reopened === undefined ? { change: last.change, report: last.report } : undefined;
}

/** The same of a fix. */
export function restorableFix(state: State, { lineage }: Verification): Restorable<FixReport> | undefined {
  const change = lastUndone(state, (author) => author.kind === 'fix' && author.lineage === lineage)?.change;
  const record = state.ledger.fixes[lineage]?.find(({ step }) => step === change?.step);
  return change && record?.answer.kind === 'fixed' ? { change, report: fixReport.parse(record) } : undefined;
}

/** Where all that the last change broke was written anew or retired since, nothing else changed in the tree, and nobody asks for something else. */
function lastUndone(state: State, isOwn: (author: Author) => boolean): Undone | undefined {
  const last = state.ledger.undone.at(-1);
  if (!last || !isOwn(last.change.author) || last.change.n !== state.ledger.changes) return undefined;
  const isFree = last.broke.length > 0 && last.broke.every((id) => isJudgedAnew(state, last, id));
  return isFree && !isAskedAnew(state, last.change) ? last : undefined;
}

/**
 * By a course correction, a review of added tasks, which may change this one, or in the person's words. What they say once the change
 * is being put back comes too late: after a crash the same is done again.
 */
function isAskedAnew({ ledger: { decisions, words }, open }: State, change: Change): boolean {
  const settled = settledAt(decisions, change);
  const until = open ? decisions.length : Infinity;
  return (
    decisions.slice(settled + 1).some(({ decision: { action } }) => action === 'course-correct' || action === 'plan-health') ||
    words.some((word) => word.decisions > settled && word.decisions < until)
  );
}

function settledAt(decisions: State['ledger']['decisions'], { n }: Change): number {
  return decisions.findLastIndex(({ decision: { action, target } }) => action === 'settle' && target === String(n));
}

/** Whether what was red on this change, which was taken back, is not what runs now. What could not run on it, since a service was down, is. */
export function isJudgedAnew({ work, ledger }: State, { change }: Pick<Undone, 'change'>, id: string): boolean {
  if (work.retired.includes(id)) return true;
  const now = work.verifications[id];
  const since = ledger.decisions[settledAt(ledger.decisions, change)]?.at ?? 0;
  const red = now && ledger.runs[now.lineage]?.findLast((run) => run.code === null && run.where === 'tree' && run.verdict === 'red');
  return red !== undefined && (red.at ?? 0) >= since && red.script !== now?.script;
}
