/** Describes any thrown value in one paragraph for the person, with the next step. */
import { InputError, Interruption, messageOf, RetryableModelError, TerminalModelError } from '../engine/ground/errors.ts';

export function explain(error: unknown): string {
  if (error instanceof InputError || error instanceof TerminalModelError || error instanceof Interruption)
    return `${error.message} ${error.next}`;
  if (error instanceof RetryableModelError)
    return `${error.message} Nothing was started: check your connection and ANTHROPIC_BASE_URL, then run the same command again.`;
  return `Loop failed: ${messageOf(error)}\n${error instanceof Error ? (error.stack ?? '') : ''}`;
}
