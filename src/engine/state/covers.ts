/** Which verifications are there, and whose work each of them looks at. */
import type { Check } from '../work/check.ts';
import { isOpen, type Task } from '../work/task.ts';
import type { Work } from './state.ts';

export function liveChecks(work: Work): Check[] {
  return Object.values(work.checks).filter((c) => !work.retired.includes(c.id));
}

/** Tasks whose `prdSection` lists one of the check's ids; all tasks, where it covers none. */
export function coveredTasks(work: Work, check: Check): Task[] {
  const all = Object.values(work.tasks);
  const own = all.filter((t) => t.prdSection.some((id) => check.prd.includes(id)));
  return own.length > 0 ? own : all;
}

/** Nothing of these tasks is left to do, and not all of them were dropped. */
export function isBuilt(tasks: readonly Task[]): boolean {
  return tasks.every((t) => !isOpen(t)) && tasks.some((t) => t.status === 'done');
}
