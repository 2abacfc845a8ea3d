/** Describes how a verification stands now: by its status, or by the barrier that keeps it from running. */
import type { StandingVerification } from '../picture/verifications.ts';
import { statusWords } from './words.ts';

export function standingWords({ status, barrier }: StandingVerification): string {
  return barrier ? `not run: held back by ${barrier.id}` : statusWords[status];
}
