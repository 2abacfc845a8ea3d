/** Describes what a skip does, for the editor and the terminal. */
import type { HumanAction } from '../work/human-action.ts';

/** @param tasks ids of the tasks that would be dropped; empty for none. */
export function skipWords(tasks: string): string {
  return tasks === '' ? 'It stays as it is, and the report says so.' : `What waits for it will be dropped: ${tasks}.`;
}

/** Asks the person to confirm a skip. */
export function sureWords(tasks: string): string {
  return `${skipWords(tasks)} This cannot be taken back.`;
}

/** Whether a skip must be confirmed: it leaves a deed undone or drops tasks. Any other question is skipped at once. */
export function isSkipAskedTwice({ kind, tasks }: { kind: HumanAction['kind']; tasks: string }): boolean {
  return kind === 'deed' || tasks !== '';
}
