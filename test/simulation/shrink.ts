/** A smaller scenario that breaks the same guarantee: less of each thing, as long as something can be left out. */
import type { Guarantee } from './oracle/oracle.ts';
import { smaller, type Scenario } from './scenario.ts';
import { simulate } from './sprint.ts';

/** Sprints that may be spent on it. */
const most = 300;

export async function shrink(scenario: Scenario, guarantee: Guarantee): Promise<Scenario> {
  let found = scenario;
  let tried = 0;
  for (let next: Scenario | undefined = found; next && tried < most;) {
    found = next;
    next = undefined;
    for (const candidate of smaller(found)) {
      if ((tried += 1) > most) break;
      const { violations } = await simulate(candidate);
      if (violations[0]?.guarantee !== guarantee) continue;
      next = candidate;
      break;
    }
  }
  return found;
}
