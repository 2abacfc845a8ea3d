/** Ends planning: accepted only when the plan has tasks, and every requirement and value proof is served by one. */
import * as z from 'zod';
import { reportTool, ToolError } from './tool.ts';

const input = z.strictObject({ summary: z.string().min(1).describe('The plan in three sentences') });

export const reportPlanComplete = reportTool<z.infer<typeof input>>({
  name: 'report_plan_complete',
  description: 'Say that the plan is complete. It ends planning.',
  input,
  handle(_call, { state }) {
    if (state.work.gates.includes('plan'))
      throw new ToolError('The plan is complete already. Say what you found in it with report_plan_review.');
    const tasks = Object.values(state.work.tasks);
    if (tasks.length === 0) throw new ToolError('The plan has no tasks. Add them with manage_task.');
    const served = new Set(tasks.flatMap((t) => t.prdSection));
    // A sprint that began before plans were reviewed has to serve no value proof.
    const isNew = state.ledger.sizes.lenses !== undefined;
    const missing = state.work.requirements.filter((r) => (isNew || r.line > 0) && !served.has(r.id));
    if (missing.length > 0) throw new ToolError(`No task serves ${missing.map(({ id }) => id).join(', ')}. Add or extend tasks.`);
    return { text: 'Plan taken.', facts: [{ fact: 'gate.passed', gate: 'plan' }] };
  },
});
