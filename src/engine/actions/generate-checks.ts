/**
 * QC writes the verifications (spec/1 §7.1), before the work where the PRD says enough, after it where the surface must
 * exist first. Due for every requirement without a check that is trusted or may yet be proven, and for every check that a
 * fixer calls wrong: QC writes that one again, red first as any, or answers that it is right.
 */
import type { Context } from '../context.ts';
import { renderPlan } from '../render/plan.ts';
import type { State } from '../state.ts';
import { openDoubt, rewriteTank } from '../verify/doubt.ts';
import { liveChecks, mayBeProven, trustOf } from '../verify/trust.ts';
import type { Check } from '../work/check.ts';
import type { Fact } from '../work/facts.ts';
import { isOpen } from '../work/task.ts';
import type { Action, Due } from './action.ts';
import { checkValues } from './check-values.ts';
import { isQualified } from './gate-row.ts';
import { factsOf, requirementList, runSession } from './session-action.ts';

export const generateChecks: Action = {
  id: 'generate-checks',
  asksModel: true,
  due(state) {
    if (!isQualified(state)) return [];
    const wanted = withoutCheck(state);
    if (wanted.length === 0) return inDoubt(state);
    return [
      {
        target: round(state),
        burns: [`generate/${round(state)}`],
        why: `nothing that can be trusted verifies ${wanted.join(', ')}`,
      },
      ...inDoubt(state),
    ];
  },
  async run(target, context) {
    const { state } = context;
    const doubted = state.work.checks[target];
    if (doubted) return review(context, doubted);
    const values = {
      plan: renderPlan(state),
      requirements: requirementList(state),
      wanted: withoutCheck(state).join(', '),
      existing: existing(state),
    };
    return factsOf(await runSession(context, { prompt: 'generate-checks', values, target }), () => []);
  },
};

function inDoubt(state: State): Due[] {
  return liveChecks(state.work)
    .filter((check) => openDoubt(state, check))
    .map((check) => ({ target: check.id, burns: [rewriteTank(check)], why: `a fixer says that ${check.id} is wrong` }));
}

async function review(context: Context, check: Check): Promise<Fact[]> {
  const claim = openDoubt(context.state, check)?.wrong?.evidence ?? '';
  const values = { ...(await checkValues(context, check)), claim };
  return factsOf(await runSession(context, { prompt: 'review-check', values, target: check.id }), () => []);
}

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
