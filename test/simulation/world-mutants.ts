/** Mutants of what a verdict is taken in: installs, the world that changed, looks alone, what verifications share. */
import { runVerifications } from '../../src/engine/run/batch.ts';
import { lookAlone } from '../../src/engine/run/alone.ts';
import type { Ground } from '../../src/engine/run/ground.ts';
import { prepared } from '../../src/engine/run/prepared.ts';
import type { Context } from '../../src/engine/context.ts';
import { installFault, whyNotInstallable } from '../../src/engine/judge/install-fault.ts';
import type { State } from '../../src/engine/state/state.ts';
import { isStale } from '../../src/engine/state/world.ts';
import type { Installed } from '../../src/engine/work/install.ts';
import { overriding, swap } from '../support/swap.ts';
import { afterFact, tidyNow, withoutViews, type Mutant } from './mutant.ts';
import type { Scenario } from './scenario.ts';

/** Honest work, in a world that does nothing to it but what a mutant adds. */
const honest: Partial<Scenario> = {
  kind: 'honest',
  errorRate: 0,
  person: 'helpful',
  config: {},
  unsteady: 0,
  slowest: 0.5,
  load: 0,
  fault: 'none',
  service: 'none',
  suite: 'none',
};

export const worldMutants: readonly Mutant[] = [
  {
    name: 'stale red',
    what: 'a failure from before the world changed goes to a fixer',
    breaks: ['stale'],
    apply: () => swap(isStale, () => () => false),
    world: { ...honest, fault: 'tool' },
  },
  {
    name: 'install explains nothing',
    what: 'what is red while an install fails is a verdict',
    breaks: ['innocence', 'stale'],
    apply: () => swap(installFault, () => () => undefined),
    world: { ...honest, install: true, installs: 'down' },
  },
  {
    name: 'bare checkout judges',
    what: 'what is red in a checkout whose install failed is a verdict',
    breaks: ['innocence'],
    apply: () =>
      swap(
        prepared,
        (sound) => (ground, spec, use) => sound(ground, spec, (at, write) => use(at === 'worktree' ? at : { scratch: at.scratch }, write)),
      ),
    world: { ...honest, install: true, installs: 'flaky' },
  },
  {
    name: 'install burns an attempt',
    what: 'work is taken back because an install was killed, or its registry was down',
    breaks: ['innocence'],
    apply: () => swap(whyNotInstallable, (sound) => (state, change) => sound(withPlainFailures(state), change)),
    world: { ...honest, adds: true, installs: 'down' },
  },
  {
    name: 'free look',
    what: 'a look alone burns no tank',
    breaks: ['limits'],
    apply: () =>
      swap(
        lookAlone,
        (sound) =>
          (ground, ...rest) =>
            sound(overriding<Ground>(ground, { beginLook: () => Promise.resolve(true) }), ...rest),
      ),
    world: { ...honest, load: 0.5 },
  },
  {
    name: 'free amendment',
    what: 'amendments of what discovery declared burn nothing',
    breaks: ['limits'],
    apply: () => afterFact('context.amended', ({ burned }) => void (burned.amend[''] = 0)),
    world: { ...honest, service: 'misdeclared' },
  },
  {
    name: 'shared file',
    what: 'verifications that write to one file disturb each other',
    breaks: ['innocence', 'verdicts'],
    apply: () =>
      swap(runVerifications, (sound) => async (ground, batch) => {
        const runs = await sound(withoutViews(ground), batch);
        if (batch.at === 'worktree') await tidyNow(ground as Context);
        return runs;
      }),
    world: { ...honest, shared: true, verifications: 2, requirements: 2 },
  },
];

/** Each install that failed did so by itself. */
function withPlainFailures(state: State): State {
  const plain = (one: Installed): Installed => {
    const { install, declared, output, excerpt, duration } = one;
    return { install, declared, output, excerpt, duration, exit: one.exit ?? 1 };
  };
  const installs = Object.entries(state.ledger.installs).map(([key, one]) => [key, plain(one)] as const);
  return { ...state, ledger: { ...state.ledger, installs: Object.fromEntries(installs) } };
}
