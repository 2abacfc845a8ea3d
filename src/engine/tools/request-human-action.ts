/** Asks the person for something that only they can do, with a condition by which the engine knows that it is done. */
import * as z from 'zod';
import { condition } from '../work/needs.ts';
import { deedOf, humanActionId, waitsFor } from '../work/human-action.ts';
import { isOpen } from '../work/task.ts';
import { denied } from './policy.ts';
import { reportTool, ToolError } from './tool.ts';

const input = z.strictObject({
  action: z.string().min(1).describe('What the person needs to do, one sentence'),
  instructions: z.string().min(1).describe('Step by step, for someone who is no developer'),
  paths: z.array(z.string()).default([]).describe('Repository-relative files that they put into their checkout'),
  needs: z
    .array(condition)
    .default([])
    .describe('Variables (names only), ports, tools or disk space that they must provide; the engine looks by itself'),
  verification_command: z.string().default('').describe('Shell command that exits 0 once it was done; runs in the sandbox'),
  blocked_task_id: z.string().describe('Task that waits for it'),
});
type Input = z.infer<typeof input>;

export const requestHumanAction = reportTool<Input>({
  name: 'request_human_action',
  description:
    'Request something that only a person can do (supply a file, a key, an approval). The task waits for it; do no more of that task.',
  input,
  handle(call, { state, target }) {
    const { tasks } = state.work;
    const { humanActions } = state.ledger;
    const { action, instructions, paths, needs, verification_command: command, blocked_task_id: task } = call;
    const known = Object.hasOwn(tasks, task) ? tasks[task] : undefined;
    if (!known) throw new ToolError(`There is no task ${task}. Existing: ${Object.keys(tasks).join(', ') || 'none'}.`);
    if (!isOpen(known)) throw new ToolError(`Task ${task} is ${known.status}: nothing of it waits. Name the task that does.`);
    // Accepted, it ends a builder's session.
    if (state.open?.decision.action === 'execute' && task !== target)
      throw new ToolError(
        `This session is about task ${target}, not ${task}: whoever builds ${task} asks for what that needs. Go on with ${target}.`,
      );
    if (paths.length + needs.length === 0 && command.trim() === '')
      throw new ToolError('Give paths, needs or verification_command: the engine must be able to tell that it was done.');
    const bad = paths.map((path) => denied('builder', 'write_file', { path })).find((why) => why !== undefined);
    if (bad) throw new ToolError(bad);
    const open = waitsFor(humanActions, known);
    if (open)
      return {
        text: `Nothing new is asked: ${task} waits for ${open.id} already, "${open.action}". What it needs besides, its builder asks for.`,
        facts: [],
      };
    const id = humanActionId(humanActions);
    const humanAction = deedOf({ id, action, instructions, paths, command, needs, task });
    return {
      text: `Requested as ${id}. The task waits for the person; do no more of it.`,
      facts: [{ fact: 'human-action.asked', humanAction }],
    };
  },
});
