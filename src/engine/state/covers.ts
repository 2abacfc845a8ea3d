/** Which verifications are there, and whose work each of them looks at. */
import { isRunnable, isScript, requirementsOf, type Runnable, type Script, type Verification } from '../work/verification.ts';
import { isOpen, type Task } from '../work/task.ts';
import type { Work } from './state.ts';

export function liveVerifications(work: Work): Verification[] {
  return Object.values(work.verifications).filter((c) => !work.retired.includes(c.id));
}

/** What a machine can run of them. */
export function liveRunnable(work: Work): Runnable[] {
  return liveVerifications(work).filter(isRunnable);
}

export function liveScripts(work: Work): Script[] {
  return liveVerifications(work).filter(isScript);
}

/** Tasks whose `prdSection` lists one of the check's ids; all tasks, where it covers none. */
export function coveredTasks(work: Work, verification: Verification): Task[] {
  const all = Object.values(work.tasks);
  const own = all.filter((t) => t.prdSection.some((id) => requirementsOf(verification).includes(id)));
  return own.length > 0 ? own : all;
}

/** Nothing of these tasks is left to do, and not all of them were dropped. */
export function isBuilt(tasks: readonly Task[]): boolean {
  return tasks.every((t) => !isOpen(t)) && tasks.some((t) => t.status === 'done');
}
