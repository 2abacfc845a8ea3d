// Owns how a step at the screen fails: with the words of the step, and with what was on the screen instead.

import type { Page } from 'playwright-core';

import { describeScreen } from './screen.ts';

/** How long a step waits for what it needs, unless told otherwise. */
export const STEP_TIMEOUT_MS = 20_000;

/** Runs one step of a person; a failure says which step it was and what was to be seen. */
export async function step<T>(page: Page, what: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
    throw new Error(`${what}: ${reason}\non the screen:\n${await describeScreen(page)}`, { cause: error });
  }
}

/** Matches a label as a whole; VS Code pads some of them. */
export function wholeLabel(label: string): RegExp {
  return new RegExp(`^\\s*${label.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\s*$`);
}
