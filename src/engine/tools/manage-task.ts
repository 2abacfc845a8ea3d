/** Adds, changes or removes a task of the plan; every change passes the guardrails. */
import { z } from 'zod';
import type { State } from '../state.ts';
import type { Fact } from '../work/facts.ts';
import { normalizeRequirementId } from '../work/requirement.ts';
import type { Task } from '../work/task.ts';
import { objection } from './guardrails.ts';
import { reportTool, ToolError, type Reply } from './tool.ts';

const fields = {
  description: z.string().optional().describe('What to build, at most 600 characters'),
  value: z.string().optional().describe('Why it matters to the user'),
  prd_section: z.array(z.string()).optional().describe('Requirement ids that it serves, e.g. ["2.1", "V1"]'),
  acceptance: z.string().optional().describe('How to tell that it is done'),
  dependencies: z.array(z.string()).optional().describe('Ids of tasks that must be done before'),
  phase: z.string().optional().describe('Grouping: foundation, core, integration …'),
  files_expected: z.array(z.string()).optional().describe('Files to create or change'),
};
const input = z.strictObject({
  action: z.enum(['add', 'modify', 'remove']),
  task_id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,30}$/, 'an id has letters, digits, dot, dash or underscore'),
  reason: z.string().optional(),
  ...fields,
});
type Input = z.infer<typeof input>;

export const manageTask = reportTool<Input>({
  name: 'manage_task',
  description: 'Add, modify or remove one task of the implementation plan. For modify, give only the fields that change.',
  input,
  handle(call, { state }) {
    if (call.action === 'add') return add(call, state);
    const { tasks } = state.work;
    const known = Object.hasOwn(tasks, call.task_id) ? tasks[call.task_id] : undefined;
    if (!known) throw new ToolError(`There is no task ${call.task_id}. Existing: ${Object.keys(tasks).join(', ') || 'none'}.`);
    if (known.status !== 'pending') throw new ToolError(`Task ${known.id} is ${known.status} and stays as it is.`);
    return call.action === 'modify' ? modify(call, known, state) : remove(known, state);
  },
});

function add(call: Input, state: State): Reply {
  const task: Task = {
    id: call.task_id,
    status: 'pending',
    source: state.work.gates.includes('plan') ? 'final' : 'plan',
    description: '',
    value: '',
    acceptance: '',
    prdSection: [],
    dependencies: [],
    phase: 'core',
    filesExpected: [],
    ...changeOf(call),
  };
  return accepted(task, state, 'add', { fact: 'task.added', task });
}

function modify(call: Input, known: Task, state: State): Reply {
  const change = changeOf(call);
  return accepted({ ...known, ...change }, state, 'modify', { fact: 'task.modified', id: known.id, change });
}

function remove(known: Task, state: State): Reply {
  const dependents = Object.values(state.work.tasks).filter((t) => t.dependencies.includes(known.id));
  if (state.work.gates.includes('plan')) throw new ToolError('A settled plan loses no task; a person can descope one.');
  if (dependents.length > 0)
    throw new ToolError(`Tasks ${dependents.map((t) => t.id).join(', ')} depend on ${known.id}. Change them first.`);
  return { text: `Task ${known.id} removed.`, facts: [{ fact: 'task.removed', id: known.id }] };
}

function accepted(task: Task, state: State, change: 'add' | 'modify', fact: Fact): Reply {
  const wrong = objection(task, state, change);
  if (wrong) throw new ToolError(wrong);
  return { text: `Task ${task.id} ${change === 'add' ? 'added' : 'modified'}.`, facts: [fact] };
}

function changeOf(call: Input): Partial<Omit<Task, 'id' | 'status' | 'source'>> {
  const { description, value, acceptance, dependencies, phase, prd_section: prd, files_expected: filesExpected } = call;
  const prdSection = prd?.map(normalizeRequirementId);
  const given = Object.entries({ description, value, acceptance, dependencies, phase, prdSection, filesExpected });
  return Object.fromEntries(given.filter(([, v]) => v !== undefined));
}
