/** Adds, changes or removes a task of the plan; every change passes the guardrails. */
import * as z from 'zod';
import type { State } from '../state/state.ts';
import type { Fact } from '../work/facts.ts';
import { isUnresolved } from '../work/human-action.ts';
import { normalizeRequirementId } from '../work/requirement.ts';
import { isOpen, leadsTo, longestDescription, longestTitle, mostDescription, type Task } from '../work/task.ts';
import { objection } from './guardrails.ts';
import { reportTool, ToolError, type Reply } from './tool.ts';

/** A task with more is no work of one session. */
const mostFiles = 8;

const fields = {
  title: z.string().max(longestTitle, `at most ${longestTitle} characters`).optional().describe('Its name in lists'),
  description: z
    .string()
    .max(mostDescription, `at most ${longestDescription} characters: say less, or split the task`)
    .meta({ maxLength: longestDescription })
    .optional()
    .describe('What to build'),
  value: z.string().optional().describe('Why it matters to the user'),
  prd_section: z.array(z.string()).optional().describe('Requirement ids that it serves, e.g. ["2.1", "V1"]'),
  acceptance: z.string().optional().describe('How to tell that it is done'),
  dependencies: z.array(z.string()).optional().describe('Ids of tasks that must be done before'),
  phase: z.string().optional().describe('Grouping: foundation, core, integration …'),
  files_expected: z
    .array(z.string())
    .max(mostFiles, `at most ${mostFiles} files: split the task`)
    .optional()
    .describe('Files to create or change'),
};
const input = z.strictObject({
  action: z.enum(['add', 'modify', 'remove']),
  task_id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,30}$/, 'an id has at most 31 characters: letters, digits, dot, dash, underscore'),
  reason: z.string().optional(),
  replaced_by: z.array(z.string()).optional().describe('remove, after the plan: tasks that serve what it served'),
  ...fields,
});
type Input = z.infer<typeof input>;

export const manageTask = reportTool<Input>({
  name: 'manage_task',
  description: 'Add, modify or remove one task of the implementation plan. For modify, give only the fields that change.',
  input,
  handle(call, { state }) {
    if (call.action === 'add' && state.open?.decision.action === 'plan-health')
      throw new ToolError('This is a review: it changes what is there and adds nothing.');
    if (call.action === 'add') return add(call, state);
    const { tasks } = state.work;
    const known = Object.hasOwn(tasks, call.task_id) ? tasks[call.task_id] : undefined;
    if (!known) throw new ToolError(`There is no task ${call.task_id}. Existing: ${Object.keys(tasks).join(', ') || 'none'}.`);
    if (known.status !== 'pending') throw new ToolError(`Task ${known.id} is ${known.status} and stays as it is.`);
    if (call.action === 'modify') return modify(call, known, state);
    return isSettled(state) ? replace(call, known, state) : remove(known, state);
  },
});

function add(call: Input, state: State): Reply {
  const task: Task = {
    id: call.task_id,
    status: 'pending',
    source: sourceOf(state),
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

/** Nobody makes or reviews the plan any more: from now on its tasks may be verified and built. */
function isSettled({ work, open }: State): boolean {
  return work.gates.includes('plan') && open?.decision.action !== 'plan' && open?.decision.action !== 'review-plan';
}

function sourceOf(state: State): Task['source'] {
  if (!isSettled(state)) return 'plan';
  return state.open?.decision.action === 'course-correct' ? 'course_correction' : 'final';
}

function modify(call: Input, known: Task, state: State): Reply {
  const change = changeOf(call);
  const lost = unserved(known, change.prdSection, state);
  if (lost.length > 0)
    throw new ToolError(`Nothing would serve ${lost.join(', ')}. Leave it in prd_section, or add it to another task's first.`);
  return accepted({ ...known, ...change }, state, 'modify', { fact: 'task.modified', id: known.id, change });
}

/** Requirements of a complete plan that no task would serve any more. Only the person may give one up. */
function unserved(known: Task, serves: readonly string[] = known.prdSection, { work }: State): string[] {
  if (!work.gates.includes('plan')) return [];
  const others = Object.values(work.tasks).filter((t) => t.id !== known.id && t.status !== 'descoped');
  return known.prdSection.filter((id) => !serves.includes(id) && !others.some((t) => t.prdSection.includes(id)));
}

function remove(known: Task, state: State): Reply {
  const dependents = Object.values(state.work.tasks).filter((t) => t.dependencies.includes(known.id));
  if (dependents.length > 0)
    throw new ToolError(`Tasks ${dependents.map((t) => t.id).join(', ')} depend on ${known.id}. Change them first.`);
  const lost = unserved(known, [], state);
  if (lost.length > 0) throw new ToolError(`Nothing would serve ${lost.join(', ')}. Add it to another task's prd_section first.`);
  const facts = notNeeded(known, state, `task ${known.id} was removed`);
  return { text: `Task ${known.id} removed.`, facts: [{ fact: 'task.removed', id: known.id }, ...facts] };
}

/** What the person was asked for a task that is gone. */
function notNeeded({ id: task }: Task, { ledger }: State, why: string): Fact[] {
  const asked = Object.values(ledger.humanActions).filter((one) => isUnresolved(one) && one.task === task);
  return asked.map(({ id }) => ({ fact: 'human-action.not-needed', id, why }));
}

/** A settled plan loses no requirement: the tasks that replace one are open, serve all that it served, and ask for what they need. */
function replace({ replaced_by: ids = [], reason }: Input, known: Task, state: State): Reply {
  const { work } = state;
  if (ids.length === 0)
    throw new ToolError('A settled plan loses no task. Name in replaced_by those that take its place; a person can descope one.');
  const others = ids.map((id) => (Object.hasOwn(work.tasks, id) ? work.tasks[id] : undefined));
  const unusable = ids.filter((id, i) => id === known.id || !others[i] || !isOpen(others[i]) || leadsTo(work.tasks, id, known.id));
  if (unusable.length > 0) throw new ToolError(`${unusable.join(', ')} cannot take its place: name open tasks that do not depend on it.`);
  const lost = known.prdSection.filter((id) => !others.some((t) => t?.prdSection.includes(id)));
  if (lost.length > 0) throw new ToolError(`Nothing would serve ${lost.join(', ')}. Add it to prd_section of a task in replaced_by.`);
  const why = `replaced by ${ids.join(', ')}${reason ? `: ${reason}` : ''}`;
  const facts = notNeeded(known, state, `task ${known.id} is replaced by ${ids.join(', ')}`);
  return { text: `Task ${known.id} is ${why}.`, facts: [{ fact: 'task.descoped', id: known.id, why, replacedBy: ids }, ...facts] };
}

function accepted(task: Task, state: State, change: 'add' | 'modify', fact: Fact): Reply {
  const wrong = objection(task, state, change);
  if (wrong) throw new ToolError(wrong);
  return { text: `Task ${task.id} ${change === 'add' ? 'added' : 'modified'}.`, facts: [fact] };
}

function changeOf(call: Input): Partial<Omit<Task, 'id' | 'status' | 'source'>> {
  const { title, description, value, acceptance, dependencies, phase, prd_section: prd, files_expected: filesExpected } = call;
  const prdSection = prd?.map(normalizeRequirementId);
  const given = Object.entries({ title, description, value, acceptance, dependencies, phase, prdSection, filesExpected });
  return Object.fromEntries(given.filter(([, v]) => v !== undefined));
}
