/** Mutants of the evidence that the engine writes down: runs, controls and trials of faults that say more than was seen. */
import { trialOf } from '../../src/engine/actions/trials/drawn-faults.ts';
import { controlOf } from '../../src/engine/prove/outcome.ts';
import { record } from '../../src/engine/run/record.ts';
import { swap } from '../support/swap.ts';
import type { Mutant } from './mutant.ts';
import type { Scenario } from './scenario.ts';

/** Honest QC that makes mistakes, and looks at little at first. */
const careless: Partial<Scenario> = { kind: 'honest', errorRate: 0.3, shallow: true };

export const evidenceMutants: readonly Mutant[] = [
  {
    name: 'any failure is honest',
    what: 'a run that ended with any other status than 0 counts as one that printed its RED text',
    breaks: ['verdicts'],
    apply: () =>
      swap(record, (sound) => async (...args) => {
        const run = await sound(...args);
        return { ...run, redSeen: run.redSeen || (run.exit !== null && run.exit !== 0) };
      }),
    world: careless,
  },
  {
    name: 'every control holds',
    what: 'a control holds whatever its runs came to',
    breaks: ['verdicts'],
    apply: () => swap(controlOf, () => () => ({ outcome: 'red', why: 'it goes by what the work does' })),
    world: careless,
  },
  {
    name: 'every fault is seen',
    what: 'each fault that was tried is recorded as seen',
    breaks: ['verdicts'],
    apply: () => swap(trialOf, (sound) => (mutant) => sound(mutant, 'seen')),
    world: careless,
  },
];
