/** Mutants of what a proof has to see, and of runs that the work ends early. */
import { measure } from '../../src/engine/actions/measure.ts';
import { measureOf } from '../../src/engine/judge/latest-measure.ts';
import { shortOfEvidence } from '../../src/engine/judge/strength.ts';
import { isGreen } from '../../src/engine/judge/verdict.ts';
import type { Finished } from '../../src/engine/work/job.ts';
import type { FaultTrial } from '../../src/engine/work/verification.ts';
import { swap } from '../support/swap.ts';
import { untroubled } from './calm.ts';
import { free, type Mutant } from './mutant.ts';
import type { Scenario } from './scenario.ts';

/** Nobody tells the truth. */
const liars: Partial<Scenario> = { ...untroubled, kind: 'lying', errorRate: 0, witness: 'nobody' };

export const strengthMutants: readonly Mutant[] = [
  {
    name: 'weak evidence counts',
    what: 'a requirement counts whatever its verifications see',
    breaks: ['audit', 'false delivery'],
    apply: () => swap(shortOfEvidence, () => () => undefined),
    world: { ...liars, shallow: true },
  },
  {
    name: 'unreached is seen',
    what: 'a fault that no run reaches counts as seen',
    breaks: ['audit', 'false delivery'],
    apply: () => countAsSeen('unreached'),
    world: { ...liars, shallow: true, requirements: 2, tasks: 2 },
  },
  {
    name: 'unseen is seen',
    what: 'a fault that a verification does not see counts as seen',
    breaks: ['audit', 'false delivery'],
    apply: () => countAsSeen('unseen'),
    world: { ...liars, shallow: true },
  },
  {
    name: 'words are proof',
    what: 'work that has no place for a fault counts, whatever its verification sees',
    breaks: ['audit', 'false delivery'],
    apply: () =>
      swap(measureOf, (sound) => (state, verification) => {
        const found = sound(state, verification);
        if (!found?.inOtherWork) return found;
        const { inOtherWork: _, ...measured } = found;
        return { ...measured, trials: [] };
      }),
    world: { ...untroubled, kind: 'lazy', errorRate: 0, shallow: true, requirements: 2, tasks: 2, verifications: 1, parts: 1 },
  },
  {
    name: 'free measure',
    what: 'a measure burns no tank of its own',
    breaks: ['limits'],
    apply: () => free(measure, 'proof'),
  },
  {
    name: 'stale measure',
    what: 'a measure of an older script counts',
    breaks: ['audit', 'false delivery'],
    apply: () =>
      swap(
        measureOf,
        () =>
          ({ ledger }, { lineage }) =>
            ledger.measures.findLast((one) => one.lineage === lineage),
      ),
    // After a resume the person may adopt an edit of what was measured.
    world: { ...untroubled, kind: 'honest', errorRate: 0, requirements: 1, tasks: 1, parts: 1, crashes: 6, crashEvery: 30 },
  },
  {
    name: 'early end passes',
    what: 'a run that the work ended, and not the script, is green',
    breaks: ['verdicts'],
    apply: () => swap(isGreen, (sound) => (end) => sound(end) || (end as Finished).stopped === 'early'),
    world: { ...liars, inProcess: true },
  },
];

function countAsSeen(outcome: FaultTrial['outcome']): void {
  swap(measureOf, (sound) => (state, verification) => {
    const found = sound(state, verification);
    const seen = (trial: FaultTrial): FaultTrial => (trial.outcome === outcome ? { ...trial, outcome: 'seen' } : trial);
    return found && { ...found, trials: found.trials.map(seen) };
  });
}
