/** A Vision Reality Check (VRC): how much of the promised value is there, and what is missing. It scores; it creates nothing. */
import * as z from 'zod';
import { recommendation, vrcScope, severity } from '../work/assessment.ts';
import { reportTool, ToolError } from './tool.ts';
import { unseenInput, unseenOf } from './unseen-by.ts';

const input = z.strictObject({
  value_score: z.number().min(0).max(1).describe('How much of the Vision’s value is delivered'),
  deliverables_verified: z.int().min(0),
  deliverables_total: z.int().min(0),
  deliverables_blocked: z.int().min(0).default(0),
  gaps: z
    .array(
      z.strictObject({
        id: z.string(),
        description: z.string(),
        severity,
        suggested_task: z.string().default(''),
        unseen_by: unseenInput,
      }),
    )
    .default([]),
  recommendation,
  summary: z.string().min(1),
});

export const reportVrc = reportTool<z.infer<typeof input>>({
  name: 'report_vrc',
  description: 'Submit a Vision Reality Check. It ends the session.',
  input,
  handle(call, { state, target }) {
    const { deliverables_verified: verified, deliverables_blocked: blocked, deliverables_total: total } = call;
    if (verified + blocked > total)
      throw new ToolError(`${verified} verified and ${blocked} blocked are more than the ${total} deliverables there are.`);
    const vrc = {
      code: state.work.tree.code,
      scope: vrcScope(target),
      fallback: false,
      valueScore: call.value_score,
      verified,
      total,
      blocked,
      gaps: call.gaps.map(({ suggested_task: suggestedTask, unseen_by: by, ...gap }) => ({
        ...gap,
        suggestedTask,
        ...unseenOf(state, by),
      })),
      recommendation: call.recommendation,
      summary: call.summary,
    };
    return { text: 'VRC taken.', facts: [{ fact: 'vrc.reported', vrc }] };
  },
});
