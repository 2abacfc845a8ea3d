/** Findings that green verifications would not see. QC writes a verification for each, once. */
import { liveScripts, liveVerifications } from '../state/covers.ts';
import type { State } from '../state/state.ts';
import type { Unseen } from '../work/assessment.ts';
import { requirementsOf } from '../work/verification.ts';

export interface UnseenFinding {
  requirement: string;
  what: string;
  /** Ids of the verifications that stayed green. */
  by: readonly string[];
}

/** Those for which nothing was written since, for any requirement of the verifications that they name. */
export function unseenFindings(state: State): UnseenFinding[] {
  const { vrcs, evaluations } = state.ledger.assessments;
  const found = [...vrcs.flatMap(({ gaps }) => gaps), ...evaluations.flatMap(({ findings }) => findings)];
  return found.flatMap(({ description: what, unseen }) => {
    if (!unseen) return [];
    const requirements = requirementsUnseen(state, unseen);
    const beside = liveScripts(state.work).filter(({ prd }) => prd.some((id) => requirements.includes(id)));
    if (beside.some(({ script }) => !unseen.scripts.includes(script))) return [];
    return requirements.map((requirement) => ({ requirement, what, by: unseen.by }));
  });
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
