/** Findings that green verifications would not see. QC writes a verification for each that is more than polish, once. */
import { liveScripts, liveVerifications } from '../state/covers.ts';
import { goesBy } from '../state/rules.ts';
import type { State } from '../state/state.ts';
import type { Finding, Unseen } from '../work/assessment.ts';
import { isOneOf, requirementsOf, type Verification } from '../work/verification.ts';

export interface UnseenFinding {
  /** Of the verifications that stayed green. */
  requirements: readonly string[];
  what: string;
  /** Ids of the verifications that stayed green. */
  by: readonly string[];
}

/** Those for which nothing was written since, for any requirement of the verifications that they name. */
export function unseenFindings(state: State): UnseenFinding[] {
  const { vrcs, evaluations } = state.ledger.assessments;
  const found = [...vrcs.flatMap(({ gaps }) => gaps), ...evaluations.flatMap(({ findings }) => findings)];
  return found.flatMap(({ description: what, severity, unseen }) => {
    if (!unseen || (severity === 'polish' && goesBy(state.opened, 'polish stays'))) return [];
    const requirements = requirementsUnseen(state, unseen);
    const beside = liveScripts(state.work).filter(({ prd }) => prd.some((id) => requirements.includes(id)));
    if (beside.some((one) => !isOneOf(unseen.scripts, one))) return [];
    return [{ requirements, what, by: unseen.by }];
  });
}

/** What the evaluator found that a verification was written for, or written again. */
export function findingsBehind(state: State, verification: Verification): Finding[] {
  const requirements = requirementsOf(verification);
  return state.ledger.assessments.evaluations
    .flatMap(({ findings }) => findings)
    .filter(
      ({ unseen }) =>
        unseen && !isOneOf(unseen.scripts, verification) && requirementsUnseen(state, unseen).some((id) => requirements.includes(id)),
    );
}

/** Of the verifications that did not see it. */
export function requirementsUnseen({ work }: State, { by }: Unseen): string[] {
  const about = liveVerifications(work).filter(({ id }) => by.includes(id));
  return [...new Set(about.flatMap(requirementsOf))];
}

/** What a finding records of the verifications that did not see it. */
export function unseenBy({ work }: State, by: readonly string[]): { unseen?: Unseen } {
  if (by.length === 0) return {};
  const requirements = by.flatMap((id) => (work.verifications[id] ? requirementsOf(work.verifications[id]) : []));
  const scripts = liveScripts(work).filter(({ prd }) => prd.some((id) => requirements.includes(id)));
  return { unseen: { by: [...by], scripts: scripts.map(({ script }) => script) } };
}
