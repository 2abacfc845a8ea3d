/** The message of the one commit that a squash makes: what was promised, and how much of it is proven. */
import { oneLine } from '../ground/text.ts';
import { coverage } from '../judge/ending.ts';
import type { State } from '../state/state.ts';
import { titleOf } from '../work/task.ts';
import { mockWords, nounOf } from './words.ts';

export function squashMessage(state: State): string {
  const { opened, stopped, work } = state;
  const covered = coverage(state);
  const tasks = Object.values(work.tasks);
  const requirementLines = (proven: boolean): string[] =>
    covered
      .filter(({ provenBy }) => (provenBy !== undefined) === proven)
      .map(({ requirement: { id, title } }) => `- ${id} ${oneLine(title)}`);
  const taskLines = (status: string): string[] =>
    tasks.filter((task) => task.status === status).map((task) => `- ${task.id} ${oneLine(task.report?.summary ?? titleOf(task))}`);
  const descoped = work.descoped.map(({ requirement }) => requirement);
  const without = descoped.length === 0 ? '' : `, without ${descoped.map(({ id }) => id).join(', ')}`;
  return [
    `${nounOf(opened)} ${opened.sprint}: ${stopped?.stop ?? 'unfinished'}${mockWords(opened)}${without}`,
    ...section('Proven:', requirementLines(true)),
    ...section('Not proven:', requirementLines(false)),
    ...section(
      'Descoped:',
      descoped.map(({ id, title }) => `- ${id} ${oneLine(title)}`),
    ),
    ...section('Built:', taskLines('done')),
    ...section('Dropped:', taskLines('descoped')),
    `Made by Loop on ${opened.branch}.`,
  ].join('\n\n');
}

function section(head: string, lines: string[]): string[] {
  return lines.length === 0 ? [] : [[head, ...lines].join('\n')];
}
