/**
 * QC writes the verifications (spec/1 §7.1), before the work where the PRD says enough, after it where the surface must
 * exist first. Due for every requirement without a check that is trusted or may yet be proven.
 */
import { renderPlan } from '../render/plan.ts';
import type { State } from '../state.ts';
import { liveChecks, mayBeProven, trustOf } from '../verify/trust.ts';
import { isOpen } from '../work/task.ts';
import type { Action } from './action.ts';
import { isQualified } from './gate-row.ts';
import { factsOf, requirementList, runSession } from './session-action.ts';

export const generateChecks: Action = {
  id: 'generate-checks',
  asksModel: true,
  due(state) {
    const wanted = isQualified(state) ? withoutCheck(state) : [];
    if (wanted.length === 0) return [];
    return [
      {
        target: round(state),
        burns: [`generate/${round(state)}`],
        why: `nothing that can be trusted verifies ${wanted.join(', ')}`,
      },
    ];
  },
  async run(target, context) {
    const { state } = context;
    const values = {
      plan: renderPlan(state),
      requirements: requirementList(state),
      wanted: withoutCheck(state).join(', '),
      existing: existing(state),
    };
    return factsOf(await runSession(context, { prompt: 'generate-checks', values, target }), () => []);
  },
};

/** A round is a plan, or the end of the last deferral. */
function round({ work }: State): string {
  return Object.values(work.tasks).some(isOpen) ? 'plan' : 'settled';
}

function withoutCheck(state: State): string[] {
  const { work } = state;
  const checks = liveChecks(work);
  const waits = (id: string): boolean => work.deferred.includes(id) && round(state) === 'plan';
  return work.requirements
    .map((r) => r.id)
    .filter((id) => !waits(id) && !checks.some((c) => c.prd.includes(id) && mayBeProven(state, c)));
}

function existing(state: State): string {
  const lines = liveChecks(state.work).map((check) => {
    const trust = trustOf(state, check);
    const result = state.work.results[check.id]?.verdict ?? 'not run';
    return `- ${check.id} (${check.prd.join(', ')}): ${result}; ${trust.trusted ? 'trusted' : `not trusted: ${trust.why}`}`;
  });
  return lines.join('\n') || 'None yet.';
}
