/** IMPLEMENTATION_PLAN.md: the tasks as a person reads them. A rendering; nobody edits it and nothing reads it back (I1). */
import type { State } from '../state/state.ts';
import { waitsFor } from '../work/human-action.ts';
import type { Task } from '../work/task.ts';

const boxes: Record<Task['status'], string> = { pending: ' ', reported: '~', done: 'x', descoped: '-' };

export function renderPlan(state: State): string {
  const tasks = Object.values(state.work.tasks);
  if (tasks.length === 0) return 'There are no tasks yet.\n';
  const phases = [...new Set(tasks.map((t) => t.phase))];
  const sections = phases.map((phase) => {
    const own = tasks.filter((t) => t.phase === phase).map((t) => taskLines(state, t));
    return `## ${phase}\n\n${own.join('\n')}`;
  });
  return `# Implementation plan\n\n${sections.join('\n\n')}\n`;
}

/** Stands for the requirements of a task that is for a finding. */
const findingWords = 'what was found wrong';

/** One whole task, for its builder. */
export function renderTask(task: Task): string {
  const { id, description, value, acceptance, prdSection, filesExpected } = task;
  return [
    `Task ${id}: ${description}`,
    `Value: ${value}`,
    `Serves: ${prdSection.join(', ') || findingWords}`,
    `Done when: ${acceptance}`,
    `Files expected: ${filesExpected.join(', ') || 'yours to choose'}`,
  ].join('\n');
}

function taskLines(state: State, task: Task): string {
  const waits = waitsFor(state.ledger.humanActions, task);
  const lines = [
    `- [${boxes[task.status]}] **${task.id}** ${task.description}`,
    `  - Value: ${task.value}`,
    `  - Serves: ${task.prdSection.join(', ') || findingWords}`,
    `  - Done when: ${task.acceptance}`,
  ];
  if (task.dependencies.length > 0) lines.push(`  - After: ${task.dependencies.join(', ')}`);
  if (waits) lines.push(`  - Waits for you: ${waits.action}`);
  if (task.dropped) lines.push(`  - Dropped: ${task.dropped}`);
  else if (task.setback && task.status !== 'done') lines.push(`  - Last attempt: ${task.setback}`);
  return lines.join('\n');
}
