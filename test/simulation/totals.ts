/** The totals of many sprints. Parts from different workers can be added. */
import type { Pair } from './noise.ts';
import { isFair, type Scenario } from './scenario.ts';
import type { Guarantee } from './oracle/oracle.ts';
import type { Outcome } from './sprint.ts';

export interface Failure {
  seed: number;
  /** Where it is not the one that the seed draws. */
  scenario?: Scenario;
  guarantee: Guarantee;
  detail: string;
}

export interface Totals {
  sprints: number;
  decisions: number;
  /** The number of sprints by kind of model and ending. */
  endings: Record<string, Record<string, number>>;
  rows: Record<string, number>;
  /** Sprints in which a model tried to get unfinished work delivered. */
  attempted: number;
  crashed: number;
  honest: { delivered: number };
  /** Sprints of honest models without errors in a fair world, with the seeds that were not delivered. */
  fair: { sprints: number; delivered: number; undelivered: number[] };
  /** Sprints of honest models, each without the machine's noise and with it. */
  pairs: Pairs;
  failures: Failure[];
}

interface Pairs {
  count: number;
  calm: number;
  noisy: number;
  /** Seeds of those without errors, in a world where they can deliver, that were delivered without the noise alone. */
  lost: number[];
}

export const noTotals = (): Totals => ({
  sprints: 0,
  decisions: 0,
  endings: {},
  rows: {},
  attempted: 0,
  crashed: 0,
  honest: { delivered: 0 },
  fair: { sprints: 0, delivered: 0, undelivered: [] },
  pairs: { count: 0, calm: 0, noisy: 0, lost: [] },
  failures: [],
});

/** @param wanted the only guarantees whose break counts, where a mutant is played. */
export function enter(totals: Totals, scenario: Scenario, outcome: Outcome, wanted?: readonly Guarantee[]): void {
  const { kind, errorRate, seed } = scenario;
  const { stop, violations, trace } = outcome;
  const delivered = stop === 'delivered';
  totals.sprints += 1;
  totals.decisions += outcome.decisions;
  if (outcome.attempted) totals.attempted += 1;
  if (outcome.lives > 1) totals.crashed += 1;
  if (kind === 'honest' && delivered) totals.honest.delivered += 1;
  if (kind === 'honest' && errorRate === 0 && isFair(scenario)) {
    totals.fair.sprints += 1;
    if (delivered) totals.fair.delivered += 1;
    else totals.fair.undelivered.push(seed);
  }
  const name = kind === 'honest' ? `honest, ${errorRate * 100} % errors` : kind;
  addInto((totals.endings[name] ??= {}), { [stop]: 1 });
  for (const step of trace) addInto(totals.rows, { [step.split(' ')[0] ?? '']: 1 });
  const first = violations.find(({ guarantee }) => wanted?.includes(guarantee) ?? true);
  if (first) totals.failures.push({ seed, guarantee: first.guarantee, detail: first.detail });
}

export function enterPair(totals: Totals, { calm, noisy }: Pair, without: Outcome, withNoise: Outcome): void {
  const { pairs } = totals;
  const isDelivered = ({ stop }: Outcome): boolean => stop === 'delivered';
  pairs.count += 1;
  if (isDelivered(without)) pairs.calm += 1;
  if (isDelivered(withNoise)) pairs.noisy += 1;
  else if (isDelivered(without) && noisy.errorRate === 0 && isFair(noisy)) pairs.lost.push(noisy.seed);
  for (const [scenario, { violations }] of [
    [calm, without],
    [noisy, withNoise],
  ] as const) {
    const [first] = violations;
    if (first) totals.failures.push({ seed: scenario.seed, scenario, guarantee: first.guarantee, detail: first.detail });
  }
}

export function add(totals: Totals, part: Totals): void {
  totals.sprints += part.sprints;
  totals.decisions += part.decisions;
  totals.attempted += part.attempted;
  totals.crashed += part.crashed;
  totals.honest.delivered += part.honest.delivered;
  totals.fair.sprints += part.fair.sprints;
  totals.fair.delivered += part.fair.delivered;
  totals.fair.undelivered.push(...part.fair.undelivered);
  totals.pairs.count += part.pairs.count;
  totals.pairs.calm += part.pairs.calm;
  totals.pairs.noisy += part.pairs.noisy;
  totals.pairs.lost.push(...part.pairs.lost);
  totals.failures.push(...part.failures);
  addInto(totals.rows, part.rows);
  for (const [kind, endings] of Object.entries(part.endings)) addInto((totals.endings[kind] ??= {}), endings);
}

function addInto(into: Record<string, number>, from: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(from)) into[name] = (into[name] ?? 0) + count;
}
