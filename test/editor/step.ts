/** How a step at the screen fails: with a description of the step and of the screen. */
import type { Page } from 'playwright-core';

import { describeScreen } from './screen.ts';

/** How long a step waits by default. */
export const stepTimeoutMs = 180_000;
/** How long a whole sprint or pipeline may take. */
export const sprintTimeoutMs = 600_000;

/** Runs one step of a person. @throws an error that names the step and describes the screen */
export async function step<T>(page: Page, what: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
    throw new Error(`${what}: ${reason}\non the screen:\n${await describeScreen(page)}`, { cause: error });
  }
}

/** Matches a whole label; VS Code pads some labels with spaces. */
export function wholeLabel(label: string): RegExp {
  return new RegExp(`^\\s*${label.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\s*$`);
}
