/** Mutants of what others than the builders decide: the person, the qualifier, whoever commits, and the second QC. */
import { requireOwnTip } from '../../src/engine/branch.ts';
import { isApproved } from '../../src/engine/judge/approval.ts';
import { hiddenProblem } from '../../src/engine/judge/hidden.ts';
import { rejected } from '../../src/engine/judge/open-points.ts';
import { shortOfEvidence } from '../../src/engine/judge/strength.ts';
import { isUnresolved } from '../../src/engine/work/human-action.ts';
import { swap } from '../support/swap.ts';
import { untroubled } from './calm.ts';
import type { Mutant } from './mutant.ts';

export const othersMutants: readonly Mutant[] = [
  {
    name: 'built without approval',
    what: 'a plan is built that the person wants to see first, and did not approve',
    breaks: ['consent'],
    apply: () => swap(isApproved, () => () => true),
    world: { config: { approvePlan: true } },
  },
  {
    name: 'rejected and planned',
    what: 'documents that were rejected are planned and built',
    breaks: ['consent', 'audit'],
    apply: () => swap(rejected, () => () => undefined),
    world: { hopeless: true, kind: 'honest' },
  },
  {
    name: 'deaf to what is open',
    what: 'what only the person can do is taken for done',
    breaks: ['audit'],
    apply: () => swap(isUnresolved, () => () => false),
    world: { ...untroubled, kind: 'honest', errorRate: 0, person: 'absent', lacking: 'tool' },
  },
  {
    name: 'anybody commits',
    what: 'what somebody else commits on the branch is taken for the work of the sprint',
    breaks: ['audit'],
    apply: () => swap(requireOwnTip, () => () => Promise.resolve()),
    world: { ...untroubled, kind: 'honest', errorRate: 0, foreign: true, crashes: 3, crashEvery: 60 },
  },
  {
    name: 'hidden for nothing',
    what: 'a requirement counts though its hidden verification is red, or nobody wrote one',
    breaks: ['audit'],
    // Both safeguards must fall: no simulated work has places for as many faults as a strong proof needs.
    apply: () => {
      swap(hiddenProblem, () => () => undefined);
      swap(shortOfEvidence, () => () => undefined);
    },
    world: { ...untroubled, kind: 'forgetful', config: { evidence: 'strong' } },
  },
];
