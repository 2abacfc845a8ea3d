/** Ends a review of the tasks that were added after the plan; what was wrong with them was mended with `manage_task`. */
import * as z from 'zod';
import { unreviewed } from '../work/task.ts';
import { reportTool } from './tool.ts';

const input = z.strictObject({ summary: z.string().min(1).describe('What you changed, or that nothing needed it') });

export const reportPlanHealth = reportTool<z.infer<typeof input>>({
  name: 'report_plan_health',
  description: 'Say what the review of the new tasks came to. It ends the session.',
  input,
  handle({ summary }, { state }) {
    const tasks = unreviewed(state.work.tasks, state.ledger.reviewed).map((t) => t.id);
    return { text: 'Taken.', facts: [{ fact: 'plan.reviewed', tasks, why: summary }] };
  },
});
