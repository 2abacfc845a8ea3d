/** Anything thrown as one paragraph for a person, with the next step. */
import { InputError, Interruption, messageOf, RetryableModelError, TerminalModelError } from '../engine/ground/errors.ts';

export function explain(error: unknown): string {
  if (error instanceof InputError || error instanceof TerminalModelError || error instanceof Interruption)
    return `${error.message} ${error.next}`;
  if (error instanceof RetryableModelError)
    return `${error.message} Nothing was started: look at your connection and at ANTHROPIC_BASE_URL, then run the same command again.`;
  return `Loop failed: ${messageOf(error)}\n${error instanceof Error ? (error.stack ?? '') : ''}`;
}
