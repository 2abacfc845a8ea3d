/** Which tasks may be built now, and what waits until one of them is its own. */
import { neededTasks } from '../state/covers.ts';
import { attemptTank, canBurn } from '../state/fuel.ts';
import type { State } from '../state/state.ts';
import { isReady } from '../work/human-action.ts';
import { strategyOf, type Strategy } from '../work/strategy.ts';
import { isOpen, settleTask, type Task, type Tasks } from '../work/task.ts';
import type { Runnable } from '../work/verification.ts';
import { rests } from './missing-proofs.ts';
import { isHonestRed, runsOf } from './trust.ts';
import { isExpectedRed } from './unsettled.ts';

/** In the order in which they are built. */
export function readyTasks(state: State): Task[] {
  const { tasks } = state.work;
  const rank = ranks[strategyOf(state.ledger).order];
  return Object.values(tasks)
    .filter((task) => isReady(task, tasks, state.ledger.humanActions) && !rests(state, task))
    .sort((a, b) => sourceOrder[a.source] - sourceOrder[b.source] || rank(tasks, b) - rank(tasks, a));
}

/** Milliseconds. */
const slow = 10_000;

/**
 * Other work is built first, on which it would be red as it was: where that takes long, it does not run before its own is next. Then
 * it does, since only so is it seen what turns it green, and whether there is anything left to build.
 */
export function waitsForItsTask(state: State, verification: Runnable): boolean {
  const last = runsOf(state, verification).findLast(({ where }) => where === 'tree');
  if (!last || last.duration < slow || !isHonestRed(last) || !isExpectedRed(state, verification)) return false;
  const next = nextTask(state);
  return next !== undefined && !neededTasks(state.work, verification).some(({ id }) => id === next.id);
}

/** Once what was reported is kept; undefined where nothing can be built. */
function nextTask(state: State): Task | undefined {
  const tasks = Object.keys(state.work.tasks).reduce((known, id) => settleTask(known, id), state.work.tasks);
  const ready = readyTasks({ ...state, work: { ...state.work, tasks } });
  return ready.find(({ id }) => canBurn(state.ledger, [attemptTank(state.ledger, id)]));
}

/** Tasks for gaps go before planned tasks. */
const sourceOrder: Record<Task['source'], number> = {
  final: 0,
  hidden: 1,
  evaluation: 1,
  vrc: 2,
  course_correction: 2,
  plan: 3,
  person: 3,
};

/** Tie-break by strategy, a higher rank first, then by plan order. */
const ranks: Record<Strategy['order'], (tasks: Tasks, task: Task) => number> = {
  dependencies: () => 0,
  value: (_tasks, { prdSection }) => prdSection.length,
  risk: (tasks, { id }) => dependents(tasks, id).size,
};

/** Open tasks that depend on this one, also through others. */
function dependents(tasks: Tasks, id: string, known = new Set<string>()): Set<string> {
  const next = Object.values(tasks).filter((t) => isOpen(t) && t.dependencies.includes(id) && !known.has(t.id));
  for (const task of next) known.add(task.id);
  for (const task of next) dependents(tasks, task.id, known);
  return known;
}
