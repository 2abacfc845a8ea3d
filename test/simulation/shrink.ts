/** Finds a smaller scenario that breaks the same guarantee, as long as a parameter can be reduced. */
import type { Guarantee } from './oracle/oracle.ts';
import { smaller, type Scenario } from './scenario.ts';
import { simulate } from './sprint.ts';

/** The most sprints that one search may run. */
const maxSprints = 300;

export async function shrink(scenario: Scenario, guarantee: Guarantee): Promise<Scenario> {
  let smallest = scenario;
  let tried = 0;
  for (let next: Scenario | undefined = smallest; next && tried < maxSprints;) {
    smallest = next;
    next = undefined;
    for (const candidate of smaller(smallest)) {
      if ((tried += 1) > maxSprints) break;
      const { violations } = await simulate(candidate);
      if (violations[0]?.guarantee !== guarantee) continue;
      next = candidate;
      break;
    }
  }
  return smallest;
}
