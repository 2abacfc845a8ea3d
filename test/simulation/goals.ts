/** How many decisions a plan task costs in a sprint of 12 tasks and 24 verifications, in a world without faults. */
import { untroubled } from './calm.ts';
import { draw, type Scenario } from './scenario.ts';
import { simulate, type Outcome } from './sprint.ts';

export interface Goal {
  errorRate: number;
  /** The goal: decisions for each plan task, at most. */
  most: number;
  /** Decisions for each plan task, over all sprints. */
  median: number;
  mean: number;
  /** How many sprints were delivered, and their median. */
  delivered: number;
  ofDelivered: number;
  sprints: number;
}

const goals = [
  { errorRate: 0, most: 4 },
  { errorRate: 0.1, most: 4.5 },
  { errorRate: 0.3, most: 6 },
];
const tasks = 12;

/** @param sprints the number for each error rate */
export async function measure(seed: number, sprints: number): Promise<Goal[]> {
  const results: Goal[] = [];
  for (const { errorRate, most } of goals) {
    const outcomes = [];
    for (let i = 0; i < sprints; i += 1) outcomes.push(await simulate(benchmark(seed + i, errorRate)));
    const all = costsOf(outcomes);
    const delivered = costsOf(outcomes.filter(({ stop }) => stop === 'delivered'));
    const mean = all.reduce((sum, cost) => sum + cost, 0) / all.length;
    results.push({
      errorRate,
      most,
      median: median(all),
      mean,
      delivered: delivered.length,
      ofDelivered: median(delivered),
      sprints,
    });
  }
  return results;
}

/** Decisions for each plan task in ascending order. */
function costsOf(outcomes: readonly Outcome[]): number[] {
  return outcomes.map(({ decisions }) => decisions / tasks).sort((a, b) => a - b);
}

function median(sorted: readonly number[]): number {
  return sorted[sorted.length >> 1] ?? 0;
}

/** Each task builds one feature in a file of its own, as the plan prompt asks for. */
export function benchmark(seed: number, errorRate: number): Scenario {
  return {
    ...draw(seed),
    ...untroubled,
    kind: 'honest',
    errorRate,
    requirements: tasks,
    tasks,
    verifications: 2,
    parts: tasks,
    brownfield: false,
    install: false,
    adds: false,
    installs: 'none',
    shared: false,
    inProcess: false,
    shallow: false,
  };
}
