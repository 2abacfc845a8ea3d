/** Scenarios in which nothing goes wrong. */
import type { Scenario } from './scenario.ts';

/** Nothing but the engine and the models is in the way. */
export const untroubled = {
  criterion: false,
  person: 'helpful',
  config: {},
  supplied: 0,
  already: 0,
  crashes: 0,
  fullDisk: 0,
  stops: 0,
  unsteady: 0,
  slowest: 0.5,
  load: 0,
  limited: 0,
  lacking: 'nothing',
  fault: 'none',
  service: 'none',
  suite: 'none',
  silent: false,
  hopeless: false,
  foreign: false,
} satisfies Partial<Scenario>;

export const calm: Scenario = {
  ...untroubled,
  seed: 7,
  kind: 'honest',
  errorRate: 0,
  requirements: 3,
  tasks: 3,
  verifications: 1,
  language: 'py',
  parts: 3,
  brownfield: false,
  witness: 'nobody',
  install: false,
  adds: false,
  installs: 'none',
  shared: false,
  inProcess: false,
  shallow: false,
  crashEvery: 10,
  raises: 0,
};
