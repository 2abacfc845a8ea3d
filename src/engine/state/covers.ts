/** The live verifications, and the tasks that each of them covers. */
import { isRunnable, isScript, requirementsOf, type Runnable, type Script, type Verification } from '../work/verification.ts';
import { isOpen, type Task } from '../work/task.ts';
import type { Work } from './state.ts';

export function liveVerifications(work: Work): Verification[] {
  return Object.values(work.verifications).filter((v) => !work.retired.includes(v.id));
}

export function liveRunnable(work: Work): Runnable[] {
  return liveVerifications(work).filter(isRunnable);
}

export function liveScripts(work: Work): Script[] {
  return liveVerifications(work).filter(isScript);
}

/** Tasks that serve one of the verification's requirements; all tasks if there are none. */
export function coveredTasks(work: Work, verification: Verification): Task[] {
  const all = Object.values(work.tasks);
  const own = all.filter((t) => t.prdSection.some((id) => requirementsOf(verification).includes(id)));
  return own.length > 0 ? own : all;
}

/** None of these tasks is open, and not all were dropped. */
export function isBuilt(tasks: readonly Task[]): boolean {
  return tasks.every((t) => !isOpen(t)) && tasks.some((t) => t.status === 'done');
}
