import { Interruption } from '../engine/ground/errors.ts';
import type { Usage } from '../engine/ground/messages.ts';

/** The person stopped the sprint in a call. @param used what the call may have cost all the same. */
export function cancelled(cause?: unknown, used?: Usage): Interruption {
  return new Interruption('cancelled', 'The call to the model was cancelled.', { cause, used });
}
