/**
 * The picture: what people are shown of a state. Coverage, status and trust are computed once for each event; the report, the
 * issues, the checklist, `loop status`, the trees and the Test Explorer read them here.
 */
import { goesOn } from '../core/fold.ts';
import { Bug } from '../ground/errors.ts';
import { dependants, isGivenUp, probeOf, servicesOf } from '../services/services.ts';
import { hasEvidence } from '../judge/ending.ts';
import { strengthOfAll, type Strength } from '../judge/strength.ts';
import { left, tank } from '../state/fuel.ts';
import type { State } from '../state/state.ts';
import type { Requirement } from '../work/requirement.ts';
import type { Service, ServiceProbe } from '../work/service.ts';
import { requirementsOf, type Verification } from '../work/verification.ts';
import { isUnresolved, droppedBy, type HumanAction } from '../work/human-action.ts';
import type { Task } from '../work/task.ts';
import { costsOf, type Costs } from './costs.ts';
import { standingTasks, type StandingTask } from './tasks.ts';
import { standingVerifications, type StandingVerification } from './verifications.ts';

export interface Picture {
  readonly state: State;
  /** Whether the same command resumes the sprint. */
  readonly goesOn: boolean;
  readonly fuel: { readonly left: number; readonly size: number };
  readonly requirements: readonly CoveredRequirement[];
  /** Including retired ones, in the order in which they were written. */
  readonly verifications: readonly StandingVerification[];
  /** Without retired ones. */
  readonly live: readonly StandingVerification[];
  readonly services: readonly StandingService[];
  readonly tasks: readonly StandingTask[];
  readonly costs: Costs;
  /** The unresolved ones, each with the tasks that wait for it. */
  readonly humanActions: readonly { readonly humanAction: HumanAction; readonly tasks: readonly Task[] }[];
}

export interface CoveredRequirement {
  readonly requirement: Requirement;
  /** The live verifications of the requirement. */
  readonly verifications: readonly StandingVerification[];
  /** The first of them that counts before the clean checkout. */
  readonly verifiedBy: Verification | undefined;
  /** The first of them that is green in the clean checkout too, where the proof sees enough. */
  readonly provenBy: Verification | undefined;
  /** How much its proof sees; undefined until that was measured. */
  readonly strength: Strength | undefined;
}

export interface StandingService {
  readonly service: Service;
  /** Its latest probe on this code. */
  readonly probe: ServiceProbe | undefined;
  readonly isGivenUp: boolean;
  /** Ids of the verifications that require it. */
  readonly dependants: readonly string[];
}

const pictures = new WeakMap<State, { n: number; work: State['work']; picture: Picture }>();

/** The picture of the current state; computed again only after a new event. */
export function pictureOf(state: State): Picture {
  const last = pictures.get(state);
  if (last?.n === state.n && last.work === state.work) return last.picture;
  const picture = draw(state);
  pictures.set(state, { n: state.n, work: state.work, picture });
  return picture;
}

/** The standing of one verification. */
export function standingOf(state: State, { id }: Verification): StandingVerification {
  const known = pictureOf(state).verifications.find(({ verification }) => verification.id === id);
  if (!known) throw new Bug(`there is no verification ${id}`);
  return known;
}

function draw(state: State): Picture {
  const { work, ledger } = state;
  const verifications = standingVerifications(state);
  const live = verifications.filter(({ isLive }) => isLive);
  return {
    state,
    goesOn: goesOn(state),
    fuel: { left: left(ledger, tank('sprint')), size: ledger.sizes.sprint ?? 0 },
    requirements: work.requirements.map((requirement) => covered(state, requirement, live)),
    verifications,
    live,
    services: servicesOf(work).map((service) => ({
      service,
      probe: probeOf(state, service.name),
      isGivenUp: isGivenUp(state, service),
      dependants: dependants(state, service).map(({ id }) => id),
    })),
    tasks: standingTasks(state),
    costs: costsOf(state),
    humanActions: Object.values(ledger.humanActions)
      .filter(isUnresolved)
      .map((humanAction) => ({ humanAction, tasks: droppedBy(humanAction, work.tasks) })),
  };
}

function covered(state: State, requirement: Requirement, all: readonly StandingVerification[]): CoveredRequirement {
  const verifications = all.filter(({ verification }) => requirementsOf(verification).includes(requirement.id));
  const first = (holds: (one: StandingVerification) => boolean): Verification | undefined => verifications.find(holds)?.verification;
  const trusted = verifications.filter(({ trust }) => trust.trusted).map(({ verification }) => verification);
  const strength = strengthOfAll(state, trusted);
  return {
    requirement,
    verifications,
    verifiedBy: first((one) => one.isCounted),
    provenBy: first((one) => one.isProven && hasEvidence(state, requirement.id, one.verification, strength)),
    strength,
  };
}
