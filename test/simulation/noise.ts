/** A sprint twice: in a world without the machine's noise, and in the same world with it. */
import { Random } from './random.ts';
import type { Scenario } from './scenario.ts';

export interface Pair {
  calm: Scenario;
  noisy: Scenario;
}

/** The noise of a busy machine, of bad installs and of verifications that share a file, each by its chance; never none of them. */
export function pairOf(scenario: Scenario): Pair {
  const random = new Random(scenario.seed).fork('noise');
  const calm: Scenario = { ...scenario, kind: 'honest', shallow: false, load: 0, shared: false, installs: 'none' };
  const some = { load: random.chance(0.5), installs: random.chance(0.5), shared: random.chance(0.5) };
  const isQuiet = !some.load && !some.installs && !some.shared;
  const helped = ['once', 'killed', 'flaky', 'down'] as const;
  // Only a person brings back a registry that stays down.
  const troubles = scenario.person === 'helpful' ? helped : helped.slice(0, 3);
  const withInstalls = { ...calm, install: random.chance(0.5), adds: true };
  const world = some.installs ? withInstalls : calm;
  const noisy: Scenario = {
    ...world,
    load: some.load || isQuiet ? random.pick([0.1, 0.2]) : 0,
    installs: some.installs ? random.pick(troubles) : 'none',
    shared: some.shared,
  };
  return { calm: world, noisy };
}
