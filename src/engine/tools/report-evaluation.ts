/**
 * What the Evaluator found when it used the deliverable as its user would: at least two findings or a reason with evidence, and
 * a verdict with evidence for every criterion.
 */
import * as z from 'zod';
import { evaluationScope, recommendation, severity, type Use, type Vrc } from '../work/assessment.ts';
import { countProven, isOneLook } from '../judge/last-look.ts';
import { liveVerifications } from '../state/covers.ts';
import type { State } from '../state/state.ts';
import type { Fact } from '../work/facts.ts';
import { useInput, useOf, usesDone } from './uses-done.ts';
import { reportTool, ToolError } from './tool.ts';
import { unseenInput, unseenOf } from './unseen-by.ts';

const finding = z.strictObject({
  severity,
  description: z.string().min(1),
  user_impact: z.string().min(1),
  suggested_fix: z.string().default(''),
  evidence: z.string().min(1).describe('What you did and what you saw'),
  unseen_by: unseenInput,
});
const input = z.strictObject({
  summary: z.string().min(40).describe('What you tried as the user and what you saw; with fewer than two findings, why there are no more'),
  findings: z.array(finding).default([]).describe('The weightiest first: the person reads that one on the first page'),
  criteria: z.array(z.strictObject({ id: z.string(), met: z.boolean(), evidence: z.string().min(20) })).default([]),
  how_to_use: z.array(useInput).max(8).default([]).describe('What the person does with it from the first day on, in order'),
  assessment: z
    .strictObject({ value_score: z.number().min(0).max(1), recommendation })
    .optional()
    .describe('Only where you are asked for it'),
});

type Call = z.infer<typeof input>;

export const reportEvaluation = reportTool<Call & { uses: Use[] }, Call>({
  name: 'report_evaluation',
  description: 'Submit the evaluation. It ends the session.',
  input,
  async whole(call, at) {
    return { ...call, uses: await usesDone(call.how_to_use.map(useOf), at) };
  },
  handle(call, { state, target }) {
    const scope = evaluationScope(target);
    const criteria = scope === 'final' ? liveVerifications(state.work).filter((v) => v.kind === 'criterion') : [];
    const missing = criteria.filter(({ id }) => !call.criteria.some((judged) => judged.id === id)).map(({ id }) => id);
    if (missing.length > 0) throw new ToolError(`Judge every criterion, with evidence; missing: ${missing.join(', ')}.`);
    const unknown = call.criteria.filter(({ id }) => !criteria.some((criterion) => criterion.id === id)).map(({ id }) => id);
    if (unknown.length > 0) throw new ToolError(`There is no criterion ${unknown.join(', ')}.`);
    const twice = call.criteria.map(({ id }) => id).filter((id, index, all) => all.indexOf(id) !== index);
    if (twice.length > 0) throw new ToolError(`Judge each criterion once; twice: ${twice.join(', ')}.`);
    if (call.findings.length < 2 && call.summary.length < 120) {
      throw new ToolError('Report at least two findings, or say in the summary, with what you did and saw, why there are no more.');
    }
    const findings = call.findings.map(({ user_impact: userImpact, suggested_fix: suggestedFix, unseen_by: by, ...f }) => ({
      ...f,
      userImpact,
      suggestedFix,
      ...unseenOf(state, by),
    }));
    const verdicts = call.criteria.map(({ id, met, evidence }) => ({ verification: id, met, evidence }));
    const evaluation = {
      code: state.work.tree.code,
      scope,
      fallback: false,
      findings,
      criteria: verdicts,
      summary: call.summary,
      howToUse: call.uses,
    };
    const assessed = scope === 'final' && isOneLook(state) ? [assessmentOf(call, state)] : [];
    const facts = [...assessed.map((vrc): Fact => ({ fact: 'vrc.reported', vrc })), { fact: 'evaluation.reported' as const, evaluation }];
    return { text: 'Evaluation taken.', facts };
  },
});

/** Findings are its gaps. */
function assessmentOf({ assessment, summary }: Call, state: State): Vrc {
  if (!assessment) throw new ToolError('Assess it as well: give `assessment` with `value_score` and `recommendation`.');
  return {
    code: state.work.tree.code,
    scope: 'final',
    fallback: false,
    valueScore: assessment.value_score,
    ...countProven(state),
    blocked: 0,
    gaps: [],
    recommendation: assessment.recommendation,
    summary,
  };
}
