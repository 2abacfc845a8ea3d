/** The standing of each task, for people. */
import { attemptTank, canBurn, spentOf, tank } from '../state/fuel.ts';
import type { State } from '../state/state.ts';
import { isReady, waitsFor, type HumanAction } from '../work/human-action.ts';
import type { Task } from '../work/task.ts';

/** The task's own status; `pending` is split by what the task waits for. `given-up`: no attempt is left. */
export type TaskStatus = 'later' | 'ready' | 'given-up' | 'active' | 'waiting' | 'reported' | 'done' | 'descoped';

export interface StandingTask {
  readonly task: Task;
  readonly status: TaskStatus;
  /** The human action that it waits for. */
  readonly waitsFor: HumanAction | undefined;
  readonly attempts: number;
}

export function standingTasks(state: State): StandingTask[] {
  const { work, ledger } = state;
  return Object.values(work.tasks).map((task) => {
    const humanAction = waitsFor(ledger.humanActions, task);
    const attempts = spentOf(ledger, tank('execute', task.id)) + spentOf(ledger, tank('retry', task.id));
    return { task, status: statusOf(task, state, humanAction), waitsFor: humanAction, attempts };
  });
}

function statusOf(task: Task, { open, work, ledger }: State, humanAction: HumanAction | undefined): TaskStatus {
  if (task.status !== 'pending') return task.status;
  if (open?.decision.action === 'execute' && open.decision.target === task.id) return 'active';
  if (humanAction) return 'waiting';
  if (!canBurn(ledger, [attemptTank(ledger, task.id)])) return 'given-up';
  return isReady(task, work.tasks, ledger.humanActions) ? 'ready' : 'later';
}
