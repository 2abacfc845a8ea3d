/** Exit codes, by which a shell script can tell how a sprint ended. */
import { hasTrustedGreen } from '../engine/judge/ending.ts';
import { InputError, Interruption, Refusal, TerminalModelError } from '../engine/ground/errors.ts';
import type { State } from '../engine/state/state.ts';

export const exitCodes = {
  delivered: 0,
  /** Nothing is proven, or the API could not be reached at the start. */
  failed: 1,
  /** Stopped with at least one trusted verification green. */
  partial: 2,
  /** A person must decide or act. */
  waiting: 3,
  /** Input, configuration or key is missing or cannot be used. */
  input: 4,
  outOfBudget: 5,
  cancelled: 130,
} as const;

export function codeOfState(state: State): number {
  switch (state.stopped?.stop) {
    case 'delivered':
    case 'complete':
      return exitCodes.delivered;
    case 'partial':
      return exitCodes.partial;
    case 'waiting':
      return exitCodes.waiting;
    case 'out-of-budget':
      return exitCodes.outOfBudget;
    default:
      return hasTrustedGreen(state) ? exitCodes.partial : exitCodes.failed;
  }
}

/**
 * Never 0, because the journal may show an earlier delivered sprint, and this command failed (I7).
 * @param state from the journal; undefined where there is none.
 */
export function codeOfError(error: unknown, state: State | undefined): number {
  if (error instanceof Refusal) return exitCodes.waiting;
  if (error instanceof InputError) return exitCodes.input;
  if (error instanceof TerminalModelError) return exitCodes.input;
  if (error instanceof Interruption && error.reason === 'cancelled') return exitCodes.cancelled;
  if (error instanceof Interruption && error.reason === 'paused') return exitCodes.waiting;
  return error instanceof Interruption && state && hasTrustedGreen(state) ? exitCodes.partial : exitCodes.failed;
}
