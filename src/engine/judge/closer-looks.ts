/**
 * Looks through one lens or a few, beside the one through all: at `standard` one through those that raised something, at
 * `thorough` one through each (docs/requirements-judged.md). Each burns a tank of its own, so it is taken once.
 */
import { canBurn, tank } from '../state/fuel.ts';
import type { Tank } from '../state/events.ts';
import type { State } from '../state/state.ts';
import type { DocumentReview } from '../work/document-review.ts';
import { documentLenses, planLenses, visionLenses } from '../work/lenses.ts';
import type { PlanReview } from '../work/plan-review.ts';

export interface CloserLook {
  /** Names of the lenses; the row's target. */
  lenses: string;
  tank: Tank;
}

/** At Vision and PRD, once they were looked at through all lenses. */
export function looksAtDocuments(state: State): CloserLook[] {
  return looksLeft(state, { of: 'documents', all: documentLenses, raised: raisedInDocuments(state) });
}

/** Whether the person is still to be asked about points of Vision and PRD, because not all looks are over. */
export function isLookingCloser(state: State): boolean {
  const { action = '', target = '' } = state.open?.decision ?? {};
  return (action === 'review-documents' && target !== '') || looksAtDocuments(state).length > 0;
}

/** At the plan. */
export function looksAtPlan(state: State): CloserLook[] {
  const round = latestRound(state.ledger.planReviews);
  const raised = new Set(round.flatMap(({ findings }) => findings.map((one) => one.lens)));
  return looksLeft(state, { of: 'plan', all: planLenses, raised: round.length === 0 ? undefined : raised });
}

/** The last look through all lenses, and the closer ones that followed it. */
export function latestRound<T extends DocumentReview | PlanReview>(reviews: readonly T[]): readonly T[] {
  const first = reviews.findLastIndex(({ lenses }) => lenses === undefined);
  return first < 0 ? [] : reviews.slice(first);
}

interface Subject {
  of: 'documents' | 'plan';
  all: readonly string[];
  /** Lenses that raised something; undefined before the look through all of them. */
  raised: ReadonlySet<string> | undefined;
}

function looksLeft({ config, ledger }: State, { of, all, raised }: Subject): CloserLook[] {
  const isEach = config.qualify === 'thorough';
  if (raised === undefined || (!isEach && config.qualify !== 'standard')) return [];
  const some = all.filter((one) => raised.has(one)).join(', ');
  const looks = isEach
    ? all.map((one) => ({ lenses: one, tank: tank('closer', `${of} ${one}`) }))
    : [{ lenses: some, tank: tank('closer', of) }];
  return looks.filter((one) => one.lenses !== '' && canBurn(ledger, [one.tank]));
}

/** A point about the Vision's outcome or its use is its first lens's. */
function raisedInDocuments({ ledger }: State): ReadonlySet<string> | undefined {
  const round = latestRound(ledger.documentReviews);
  if (round.length === 0) return undefined;
  const failed = round.flatMap(({ vision }) => visionLenses.filter((one) => vision[one].verdict !== 'PASS'));
  const kinds = round.flatMap(({ points }) => points.map(({ kind }) => (kind === 'outcome' ? 'extraction' : kind)));
  return new Set<string>([...failed, ...kinds]);
}
