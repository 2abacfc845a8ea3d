/**
 * A task is a piece of the plan (spec/1 §2 TaskState). There is no other plan: markdown is rendered from these.
 * A task is `done` only when it was reported, a diff or a check shows it, and nothing green broke (design §5).
 */
import { z } from 'zod';

export const taskSource = z.enum(['plan', 'evaluation', 'vrc', 'final', 'course_correction']);

const schema = z.object({
  id: z.string(),
  status: z.enum(['pending', 'reported', 'done', 'descoped']),
  source: taskSource,
  description: z.string(),
  /** Why it matters to the user. */
  value: z.string(),
  /** Requirement ids that it serves; none for what a look found. */
  prdSection: z.array(z.string()),
  /** How to tell that it is done. */
  acceptance: z.string(),
  dependencies: z.array(z.string()),
  phase: z.string(),
  filesExpected: z.array(z.string()),
  /** What the builder said; set by the report, shown beside what the engine saw change. */
  report: z
    .object({ filesCreated: z.array(z.string()), filesModified: z.array(z.string()), verified: z.string(), notes: z.string() })
    .optional(),
  /** Why the last attempt was not kept. */
  setback: z.string().optional(),
  /** Tasks that do instead what this one was for: it needs nobody's consent to drop it. */
  replacedBy: z.array(z.string()).optional(),
});
export type Task = z.infer<typeof schema>;

export const taskFacts = [
  z.object({ fact: z.literal('task.added'), task: schema }),
  z.object({
    fact: z.literal('task.modified'),
    id: z.string(),
    change: schema.omit({ id: true, status: true, source: true }).partial(),
  }),
  z.object({ fact: z.literal('task.removed'), id: z.string() }),
  z.object({ fact: z.literal('task.reported'), id: z.string(), report: schema.shape.report.unwrap() }),
  /** Nothing had to change for it any more: checks that could fail before show it. */
  z.object({ fact: z.literal('task.shown'), id: z.string() }),
  z.object({ fact: z.literal('task.returned'), id: z.string(), why: z.string() }),
  z.object({ fact: z.literal('task.descoped'), id: z.string(), why: z.string(), replacedBy: z.array(z.string()).optional() }),
] as const;
export type TaskFact = z.infer<(typeof taskFacts)[number]>;

export type Tasks = Readonly<Record<string, Task>>;

export function reduceTasks(tasks: Tasks, fact: TaskFact): Tasks {
  switch (fact.fact) {
    case 'task.added':
      return { ...tasks, [fact.task.id]: fact.task };
    case 'task.modified':
      return patch(tasks, fact.id, definedOnly(fact.change));
    case 'task.removed': {
      const { [fact.id]: _removed, ...rest } = tasks;
      return rest;
    }
    case 'task.reported':
      return patch(tasks, fact.id, { status: 'reported', report: fact.report });
    case 'task.shown':
      return settleTask(tasks, fact.id);
    case 'task.returned':
      return patch(tasks, fact.id, { status: 'pending', setback: fact.why });
    case 'task.descoped':
      return descope(tasks, fact);
  }
}

/** What depended on a replaced task depends on those that replace it. */
function descope(tasks: Tasks, { id, why, replacedBy }: Extract<TaskFact, { fact: 'task.descoped' }>): Tasks {
  const dropped = patch(tasks, id, { status: 'descoped', setback: why, ...(replacedBy ? { replacedBy } : {}) });
  if (!replacedBy) return dropped;
  const swapped = Object.values(dropped).map((task): [string, Task] => {
    if (!task.dependencies.includes(id) || replacedBy.includes(task.id)) return [task.id, task];
    const dependencies = [...new Set(task.dependencies.flatMap((d) => (d === id ? replacedBy : [d])))];
    return [task.id, { ...task, dependencies }];
  });
  return Object.fromEntries(swapped);
}

/** Made for what a look found: it may belong to no requirement, or to several. */
export function isFinding({ source }: Pick<Task, 'source'>): boolean {
  return source === 'evaluation' || source === 'vrc';
}

/** The task that a settled change completes, or checks show. */
export function settleTask(tasks: Tasks, id: string): Tasks {
  return tasks[id]?.status === 'reported' ? patch(tasks, id, { status: 'done' }) : tasks;
}

/** Not done and not descoped: something is left to do for it. */
export function isOpen(task: Task): boolean {
  return task.status === 'pending' || task.status === 'reported';
}

/** Whether a task is another, or depends on it, directly or through others. */
export function leadsTo(tasks: Tasks, from: string, to: string): boolean {
  const seen = new Set<string>();
  const stack = [from];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    if (id === to) return true;
    if (!seen.has(id)) stack.push(...(tasks[id]?.dependencies ?? []));
    seen.add(id);
  }
  return false;
}

/** Added after the plan, not begun, and not among those that a review has looked at. */
export function unreviewed(tasks: Tasks, reviewed: readonly string[]): Task[] {
  return Object.values(tasks).filter((t) => t.source !== 'plan' && t.status === 'pending' && !reviewed.includes(t.id));
}

function patch(tasks: Tasks, id: string, change: Partial<Task>): Tasks {
  const known = tasks[id];
  return known ? { ...tasks, [id]: { ...known, ...change } } : tasks;
}

function definedOnly<T extends object>(change: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
