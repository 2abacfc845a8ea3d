/** Mutants of what bounds a sprint besides its fuel: money and hours. */
import { costOf } from '../../src/engine/agents/cost.ts';
import { isOutOfTime } from '../../src/engine/state/hours.ts';
import { swap } from '../support/swap.ts';
import type { Mutant } from './mutant.ts';

export const budgetMutants: readonly Mutant[] = [
  {
    name: 'free calls',
    what: 'a call of a model costs nothing',
    breaks: ['money'],
    apply: () => swap(costOf, () => () => 0),
  },
  {
    name: 'endless hours',
    what: 'a sprint runs on when its hours are over',
    breaks: ['bound'],
    apply: () => swap(isOutOfTime, () => () => false),
    world: { config: { maxHours: 0.005 } },
  },
];
