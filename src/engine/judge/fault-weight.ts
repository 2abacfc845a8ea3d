/** How much faults weigh, and how much of them a level takes (docs/proof-strength.md). */
import type { FaultTrial, Operator } from '../work/verification.ts';

/**
 * How much must be seen. Shares are of the weight of all faults that were tried. Strong: so many faults, and `share` of them. Fair: more
 * than `over`, or more than `own` where all lie in the requirement's own places.
 *
 * A proof is weak, too, if it misses
 *
 * - that something is not printed, or given back as it came or emptied, unless it sees the share of a strong one;
 * - that a value is not returned, unless it sees `rest`;
 * - that something is not called, or done the other way round, unless it sees `own`.
 *
 * So is one that sees at most `least` of its faults and of those that it leaves to verifications of other requirements. And so is one
 * where more than `blind.all` of the faults lie where no run gets, or more than `blind.prints` with all that is printed.
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
