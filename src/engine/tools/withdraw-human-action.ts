/** Takes back a request to the person before anybody saw it: agents can make or find what it asks for. */
import * as z from 'zod';
import { isUnresolved } from '../work/human-action.ts';
import { reportTool, ToolError } from './tool.ts';

const input = z.strictObject({
  blocked_task_id: z.string().describe('Task that waits for it without need'),
  why: z.string().trim().min(1).max(300).describe('How agents get what it asks for'),
});

export const withdrawHumanAction = reportTool<z.infer<typeof input>>({
  name: 'withdraw_human_action',
  description: 'Take back what a person was to do for a task, because agents can do it.',
  input,
  handle({ blocked_task_id: task, why }, { state }) {
    const waiting = Object.values(state.ledger.humanActions).filter((one) => isUnresolved(one) && !one.shown);
    const own = waiting.filter((one) => one.task === task);
    if (own.length === 0) {
      const others = waiting.flatMap((one) => (one.task === '' ? [] : [one.task]));
      throw new ToolError(`Nothing is asked of a person for ${task}. Tasks that wait: ${others.join(', ') || 'none'}.`);
    }
    return {
      text: `Withdrawn: ${own.map(({ id }) => id).join(', ')}. The task waits for nobody.`,
      facts: own.map(({ id }) => ({ fact: 'human-action.not-needed' as const, id, why })),
    };
  },
});
