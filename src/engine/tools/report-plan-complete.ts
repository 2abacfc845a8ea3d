/** Ends planning: accepted only when the plan has tasks, and every requirement and value proof is served by one. */
import * as z from 'zod';
import { reportTool, ToolError } from './tool.ts';

/** Characters. */
const longestDecision = 300;

const input = z.strictObject({
  summary: z.string().min(1).describe('The plan in three sentences'),
  decided: z
    .array(z.string().trim().min(1).max(longestDecision, `at most ${longestDecision} characters: one decision each`))
    .max(12)
    .default([])
    .describe('What the documents leave open and your tasks decide, which the person would notice: a sentence each, the weightiest first'),
});

export const reportPlanComplete = reportTool<z.infer<typeof input>>({
  name: 'report_plan_complete',
  description: 'Say that the plan is complete. It ends planning.',
  input,
  handle({ decided }, { state }) {
    if (state.work.gates.includes('plan'))
      throw new ToolError('The plan is complete already. Say what you found in it with report_plan_review.');
    const tasks = Object.values(state.work.tasks);
    if (tasks.length === 0) throw new ToolError('The plan has no tasks. Add them with manage_task.');
    const served = new Set(tasks.flatMap((t) => t.prdSection));
    // A sprint that began before plans were reviewed has to serve no value proof.
    const isNew = state.ledger.sizes.lenses !== undefined;
    const missing = state.work.requirements.filter((r) => (isNew || r.line > 0) && !served.has(r.id));
    if (missing.length > 0) throw new ToolError(`No task serves ${missing.map(({ id }) => id).join(', ')}. Add or extend tasks.`);
    return { text: 'Plan taken.', facts: [{ fact: 'gate.passed', gate: 'plan', ...(decided.length > 0 ? { decided } : {}) }] };
  },
});
