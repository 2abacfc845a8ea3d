/** The plan in a terminal: one line a task, in the order in which they are built. */
import type { State } from '../engine/state/state.ts';
import { isOpen, titleOf } from '../engine/work/task.ts';

export function planLines(state: State | undefined): string[] {
  return Object.values(state?.work.tasks ?? {})
    .filter(isOpen)
    .map((task) => {
      const serves = task.prdSection.length > 0 ? `, serves ${task.prdSection.join(', ')}` : '';
      const after = task.dependencies.length > 0 ? `, after ${task.dependencies.join(', ')}` : '';
      return `${task.id}: ${titleOf(task)}${serves}${after}`;
    });
}
