/** How much faults weigh, and how much of them a level takes (docs/proof-strength.md). */
import type { FaultTrial, Operator } from '../work/verification.ts';

/**
 * At least so many faults, and such a share of their weight, or more than it, must be seen; of faults in a requirement's own places more
 * than `own`. Weak is also what misses
 *
 * - that something is not printed, or given back as it came or emptied, unless it sees all that a strong one does;
 * - that a value is not returned, unless it sees `rest` of all;
 * - that something is not called, or done the other way round, unless it sees `own`;
 *
 * what leaves all but `least` to other requirements' verifications; and where more than `blind.all` of all faults lie where nobody gets,
 * or more than `blind.prints`, and with them all that is printed.
 */
export const needed = {
  strong: { faults: 3, share: 0.9 },
  fair: { over: 0.5, own: 0.6, rest: 0.75, least: 0.25 },
  blind: { all: 0.5, prints: 0.4 },
};

/** Faults of these kinds often change little for a user, or nothing. */
const small: readonly Operator[] = [
  'bound off by one',
  'number changed',
  'text changed',
  'condition always true',
  'condition always false',
  'visibility changed',
];

export function weightOf(trials: readonly FaultTrial[]): number {
  return trials.reduce((sum, { operator }) => sum + (small.includes(operator) ? 0.5 : 1), 0);
}

/** What nobody sees counts against all whose runs get there, in equal parts. */
export function partOf(trials: readonly FaultTrial[]): number {
  return trials.reduce((sum, trial) => sum + weightOf([trial]) / (1 + (trial.others ?? 0)), 0);
}
