/**
 * QC writes the verifications (spec/1 §7.1), before the work where the PRD says enough, after it where the surface must
 * exist first. Due for every requirement without a check that is trusted or may yet be proven, and for every check that a
 * fixer calls wrong: QC writes that one again, red first as any, or answers that it is right.
 */
import type { Context } from '../context.ts';
import { approach } from '../render/approach.ts';
import { renderPlan } from '../render/plan.ts';
import { guardedText } from '../render/suites.ts';
import type { State } from '../state/state.ts';
import { openDoubt, rewriteTank } from '../diagnose/doubt.ts';
import { brokenBy, standsInTheWay } from '../diagnose/broken-suites.ts';
import { mayBeProven, trustOf } from '../judge/trust.ts';
import { liveChecks } from '../state/covers.ts';
import type { Check } from '../work/check.ts';
import type { Fact } from '../work/facts.ts';
import { isOpen } from '../work/task.ts';
import type { Action } from './action.ts';
import type { Due } from '../core/decide.ts';
import { checkValues } from './check-values.ts';
import { isQualified } from '../work/gate.ts';
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
      guarded: guardedText(state),
      approach: approach(state, 'qc'),
    };
    return factsOf(await runSession(context, { prompt: 'generate-checks', values, target }), () => []);
  },
};

function inDoubt(state: State): Due[] {
  return liveChecks(state.work)
    .filter((check) => openDoubt(state, check) ?? standsInTheWay(state, check))
    .map((check) => ({ target: check.id, burns: [rewriteTank(check)], why: whyReviewed(state, check) }));
}

function whyReviewed(state: State, check: Check): string {
  return openDoubt(state, check)
    ? `${check.id} may be wrong`
    : `work of ${brokenBy(state, check).at(-1)} broke ${check.id}, and was taken back`;
}

async function review(context: Context, check: Check): Promise<Fact[]> {
  const claim = openDoubt(context.state, check)?.wrong?.evidence ?? '';
  if (check.guard) return reviewSuite(context, check, claim);
  const values = { ...(await checkValues(context, check)), claim };
  return factsOf(await runSession(context, { prompt: 'review-check', values, target: check.id }), () => []);
}

/** Whether a requirement contradicts what was there before: a fixer says so, or a task's work was taken back for it. */
async function reviewSuite(context: Context, check: Check, claim: string): Promise<Fact[]> {
  const { state } = context;
  const last = state.ledger.runs[check.lineage]?.findLast((run) => run.verdict === 'red');
  const tasks = brokenBy(state, check).map(
    (id) => `- Work of task ${id} was taken back: ${state.work.tasks[id]?.description ?? ''}`,
  );
  const values = {
    ...(await checkValues(context, check)),
    evidence: last ? `${last.summary}\n\n${last.excerpt}` : 'No run was recorded.',
    guarded: guardedText(state),
    claim: [...(claim ? [`A fixer says: ${claim}`] : []), ...tasks].join('\n'),
  };
  return factsOf(await runSession(context, { prompt: 'review-suite', values, target: check.id }), () => []);
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
  const lines = liveChecks(state.work)
    .filter((check) => !check.guard)
    .map((check) => {
      const trust = trustOf(state, check);
      const result = state.work.results[check.id]?.verdict ?? 'not run';
      const whose = check.by === 'person' ? ', written by the person' : '';
      return `- ${check.id} (${check.prd.join(', ')}${whose}): ${result}; ${trust.trusted ? 'trusted' : `not trusted: ${trust.why}`}`;
    });
  return lines.join('\n') || 'None yet.';
}
