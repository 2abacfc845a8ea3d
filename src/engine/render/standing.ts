/** How a verification stands now, in words: its status, or what keeps it from being run. */
import type { StandingVerification } from '../picture/verifications.ts';
import { statusWords } from './words.ts';

export function standingWords({ status, gate }: StandingVerification): string {
  return gate ? `not run: gated by ${gate.id}` : statusWords[status];
}
