/** Describes how a verification stands now: by its status, or by the gate that keeps it from running. */
import type { StandingVerification } from '../picture/verifications.ts';
import { statusWords } from './words.ts';

export function standingWords({ status, gate }: StandingVerification): string {
  return gate ? `not run: gated by ${gate.id}` : statusWords[status];
}
