/** What a skip comes to, wherever a person gives it: in the editor and at a terminal. */
import type { HumanAction } from '../work/human-action.ts';

/** @param tasks ids of those that would be dropped; empty for none. */
export function skipWords(tasks: string): string {
  return tasks === '' ? 'It stays as it is, and the report says so.' : `What waits for it will be dropped: ${tasks}.`;
}

/** What they are told when they are asked for it once more. */
export function sureWords(tasks: string): string {
  return `${skipWords(tasks)} This cannot be taken back.`;
}

/** A skip is consent to lose what waits for it, which one click or word does not give; a question on which nothing hangs is just left. */
export function isSkipAskedTwice({ kind, tasks }: { kind: HumanAction['kind']; tasks: string }): boolean {
  return kind === 'deed' || tasks !== '';
}
