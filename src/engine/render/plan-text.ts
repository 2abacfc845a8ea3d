/** IMPLEMENTATION_PLAN.md: the tasks as a person reads them. A rendering; nobody edits it and nothing reads it back (I1). */
import type { State } from '../state/state.ts';
import { waitsFor } from '../work/human-action.ts';
import { listPaths, oneLine } from '../ground/text.ts';
import { titleOf, type Task } from '../work/task.ts';

const boxes: Record<Task['status'], string> = { pending: ' ', reported: '~', done: 'x', descoped: '-' };

/** @param withFiles for who judges it before it is built: the files that each task expects, too. */
export function renderPlan(state: State, withFiles = false): string {
  const tasks = Object.values(state.work.tasks);
  if (tasks.length === 0) return 'There are no tasks yet.\n';
  const phases = [...new Set(tasks.map((t) => t.phase))];
  const sections = phases.map((phase) => {
    const own = tasks.filter((t) => t.phase === phase).map((t) => taskLines(state, t, withFiles));
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

/** The other tasks, for its builder: by title, and what their builders said of what they built. */
export function renderOtherTasks({ work }: State, id: string): string {
  const others = Object.values(work.tasks).filter((task) => task.id !== id && task.status !== 'descoped');
  return others.map((task) => otherLine(task, work)).join('\n') || 'None.';
}

function otherLine(task: Task, work: State['work']): string {
  const { report, status } = task;
  const serves = task.prdSection.length > 0 ? ` (${task.prdSection.join(', ')})` : '';
  const head = `- [${boxes[status]}] ${task.id}: ${titleOf(task)}${serves}`;
  if (status !== 'done' || report === undefined) return head;
  const files = listPaths(changedBy(task, work));
  const said = [report.summary, report.notes].filter(Boolean).map((text) => oneLine(text ?? ''));
  return `${[head, ...said].join('. ')}${files === '' ? '' : ` [${files}]`}`;
}

/** Paths that its kept work changed, each as it left it. */
function changedBy({ id }: Task, { tree }: State['work']): string[] {
  const own = tree.commits.filter(({ author }) => author.kind === 'task' && author.task === id);
  const kinds = new Map(own.flatMap(({ files }) => files.map(({ path, kind }) => [path, kind])));
  return [...kinds].map(([path, kind]) => (kind === 'deleted' ? `${path} (deleted)` : path));
}

/** Its name in lists stands before what is to be built, where it has one that says something else. */
function titled({ title, description }: Task): string {
  const name = oneLine(title ?? '');
  return name === '' || description.startsWith(name) ? description : `${name}: ${description}`;
}

function taskLines(state: State, task: Task, withFiles: boolean): string {
  const waits = waitsFor(state.ledger.humanActions, task);
  const lines = [
    `- [${boxes[task.status]}] **${task.id}** ${titled(task)}`,
    `  - Value: ${task.value}`,
    `  - Serves: ${task.prdSection.join(', ') || findingWords}`,
    `  - Done when: ${task.acceptance}`,
  ];
  if (withFiles) lines.push(`  - Files expected: ${task.filesExpected.join(', ') || 'the builder chooses'}`);
  if (task.dependencies.length > 0) lines.push(`  - After: ${task.dependencies.join(', ')}`);
  if (waits) lines.push(`  - Waits for you: ${waits.action}`);
  if (task.reopened && task.status !== 'done') lines.push(`  - Open again: ${task.reopened}`);
  if (task.dropped) lines.push(`  - Dropped: ${task.dropped}`);
  else if (task.setback && task.status !== 'done') lines.push(`  - Last attempt: ${task.setback}`);
  return lines.join('\n');
}
