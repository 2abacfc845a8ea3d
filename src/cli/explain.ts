/** Describes any thrown value in one paragraph for the person, with the next step. */
import { InputError, Interruption, messageOf, RetryableModelError, TerminalModelError } from '../engine/ground/errors.ts';

export function explain(error: unknown): string {
  if (error instanceof InputError || error instanceof TerminalModelError || error instanceof Interruption)
    return `${error.message} ${error.next}`;
  if (error instanceof RetryableModelError) return `${error.message} Nothing was started: ${nextOf(error)}`;
  return `Loop failed: ${messageOf(error)}\n${error instanceof Error ? (error.stack ?? '') : ''}`;
}

function nextOf({ kind, retryAfterMs }: RetryableModelError): string {
  if (retryAfterMs) return `the API asks to wait ${Math.ceil(retryAfterMs / 1000)} s. Run the same command again then.`;
  if (kind === 'rate-limited') return 'wait a while, then run the same command again.';
  if (kind === 'overloaded') return 'wait a while, check ANTHROPIC_BASE_URL if it is set, then run the same command again.';
  return 'check your connection and ANTHROPIC_BASE_URL, then run the same command again.';
}
