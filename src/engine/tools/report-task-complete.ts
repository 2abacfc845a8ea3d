/** The builder's claim that a task is complete. It settles nothing: the engine looks at the diff and runs the verifications. */
import * as z from 'zod';
import { reportTool, ToolError } from './tool.ts';

const input = z.strictObject({
  task_id: z.string(),
  summary: z.string().trim().max(60, 'at most 60 characters').optional().describe("What you built, in the words of a commit's subject"),
  value_verified: z.string().optional().describe('How you verified that the task delivers its value'),
  notes: z.string().optional().describe('What you took where the documents leave something open'),
});

export const reportTaskComplete = reportTool<z.infer<typeof input>>({
  name: 'report_task_complete',
  description:
    'Report that the task is complete. The engine sees by itself what changed, and verifies it. In one reply with other calls it is taken only where none of them fails and each command ends with 0.',
  input,
  needsSuccess: () => 'all',
  handle(call, { target }) {
    if (call.task_id !== target) throw new ToolError(`This session is about task ${target}, not ${call.task_id}.`);
    const report = {
      verified: call.value_verified ?? '',
      notes: call.notes ?? '',
      ...(call.summary ? { summary: call.summary } : {}),
    };
    return { text: `Task ${target} reported. The engine checks it now.`, facts: [{ fact: 'task.reported', id: target, report }] };
  },
});
