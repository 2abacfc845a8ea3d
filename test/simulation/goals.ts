/** How many decisions a plan task costs, in a sprint of 12 tasks and 24 verifications in a world without faults. */
import { draw, type Scenario } from './scenario.ts';
import { simulate } from './sprint.ts';

export interface Goal {
  errorRate: number;
  /** Decisions a plan task at most. */
  most: number;
  median: number;
  mean: number;
  delivered: number;
  sprints: number;
}

const goals = [
  { errorRate: 0, most: 4 },
  { errorRate: 0.1, most: 4.5 },
  { errorRate: 0.3, most: 6 },
];
const tasks = 12;

/** @param sprints of each error rate. */
export async function measure(seed: number, sprints: number): Promise<Goal[]> {
  const found: Goal[] = [];
  for (const { errorRate, most } of goals) {
    const outcomes = [];
    for (let i = 0; i < sprints; i += 1) outcomes.push(await simulate(benchmark(seed + i, errorRate)));
    const costs = outcomes.map(({ decisions }) => decisions / tasks).sort((a, b) => a - b);
    const delivered = outcomes.filter(({ stop }) => stop === 'delivered').length;
    const mean = costs.reduce((sum, cost) => sum + cost, 0) / costs.length;
    found.push({ errorRate, most, median: costs[costs.length >> 1] ?? 0, mean, delivered, sprints });
  }
  return found;
}

/** Each task builds one feature in a file of its own, as plans are asked to be. */
export function benchmark(seed: number, errorRate: number): Scenario {
  return {
    ...draw(seed), kind: 'honest', errorRate, requirements: tasks, tasks, checks: 2, parts: tasks, brownfield: false, already: 0, criterion: false,
    supplied: 0, person: 'helpful', install: false, crashes: 0, fullDisk: 0, stops: 0, unsteady: 0, slowest: 0.5, limited: 0, config: {},
    lacking: 'nothing', service: 'none', suite: 'none',
  }; // prettier-ignore
}
