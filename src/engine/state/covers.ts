/** The live verifications, and the tasks that each of them covers. */
import { isOneOf, isRunnable, isScript, requirementsOf, type Runnable, type Script, type Verification } from '../work/verification.ts';
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

/** Tasks that it says something about; all tasks if there are none. */
export function coveredTasks(work: Work, verification: Verification): Task[] {
  const all = Object.values(work.tasks);
  const own = all.filter((task) => speaksOf(verification, task));
  return own.length > 0 ? own : all;
}

/** Tasks without which it cannot be green: those that it covers, and those of requirements whose work it goes through, too. */
export function neededTasks(work: Work, verification: Verification): Task[] {
  const covered = coveredTasks(work, verification);
  const after = verification.kind === 'script' ? (verification.after ?? []) : [];
  const others = Object.values(work.tasks).filter((task) => !covered.includes(task) && task.prdSection.some((id) => after.includes(id)));
  return [...covered, ...others];
}

/** They share a requirement. What did not see a finding says nothing about its task; what was written for it does. */
export function speaksOf(verification: Verification, { prdSection, unseen }: Pick<Task, 'prdSection' | 'unseen'>): boolean {
  return prdSection.some((id) => requirementsOf(verification).includes(id)) && !isOneOf(unseen ?? [], verification);
}

/** None of these tasks is open, and not all were dropped. */
export function isBuilt(tasks: readonly Task[]): boolean {
  return tasks.every((t) => !isOpen(t)) && tasks.some((t) => t.status === 'done');
}
