/** The standing of each verification on the current code, for people. */
import { goesOn } from '../core/fold.ts';
import { editable, openEdit, type KnownEdit } from '../judge/open-edits.ts';
import { isCounted, isProven } from '../judge/ending.ts';
import { barriersOf, barrierOf } from '../judge/barriers.ts';
import { lastGreenWords } from '../judge/last-green.ts';
import { currentRunOf, isExhausted, statusOf, type Status } from '../judge/status.ts';
import { strengthOf, type Strength } from '../judge/strength.ts';
import { trustOf, type Trust } from '../judge/trust.ts';
import { downFor, waitWords } from '../services/services.ts';
import type { State } from '../state/state.ts';
import type { Run, Runnable, Verification } from '../work/verification.ts';

export interface StandingVerification {
  readonly verification: Verification;
  readonly isLive: boolean;
  readonly status: Status;
  readonly trust: Trust;
  /** How many faults it sees; undefined until that was measured. */
  readonly strength: Strength | undefined;
  /** Trusted and green, or met with evidence. */
  readonly isCounted: boolean;
  /** Counted, and green in the clean checkout too. */
  readonly isProven: boolean;
  /** Broken, and no fix is left. */
  readonly isExhausted: boolean;
  /** The broken verification that holds it back. */
  readonly barrier: Runnable | undefined;
  /** The service that it waits for, in words; empty if none is down. */
  readonly waits: string;
  readonly lastGreen: string;
  /** All runs of its lineage, with any script. */
  readonly runs: readonly Run[];
  /** The run that its status comes from. */
  readonly current: Run | undefined;
  /** An edit of its file that waits for the person's answer. */
  readonly edit: KnownEdit | undefined;
  /** The person may replace its script. */
  readonly mayEdit: boolean;
}

export function standingVerifications(state: State): StandingVerification[] {
  const barriers = barriersOf(state);
  return Object.values(state.work.verifications).map((verification) => standing(state, verification, barriers));
}

function standing(state: State, verification: Verification, barriers: readonly Runnable[]): StandingVerification {
  const { work, ledger } = state;
  const trust = trustOf(state, verification);
  const status = statusOf(state, verification);
  const dead = downFor(state, verification);
  const counted = isCounted(state, verification, trust);
  return {
    verification,
    isLive: !work.retired.includes(verification.id),
    status,
    trust,
    strength: trust.trusted ? strengthOf(state, verification) : undefined,
    isCounted: counted,
    isProven: counted && isProven(state, verification, trust),
    isExhausted: isExhausted(state, verification),
    barrier: status === 'pending' ? barrierOf(verification, barriers) : undefined,
    waits: dead ? waitWords(dead) : '',
    lastGreen: lastGreenWords(state, verification),
    runs: ledger.runs[verification.lineage] ?? [],
    current: currentRunOf(state, verification),
    edit: openEdit(state, verification),
    mayEdit: goesOn(state) && !('problem' in editable(work, verification.id)),
  };
}
