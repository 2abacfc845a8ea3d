/**
 * A task is a piece of the plan; the plan in markdown is rendered from the tasks. A task is `done` only if it was reported, a
 * change or a verification shows it, and nothing green broke.
 */
import * as z from 'zod';
import { firstWords, oneLine } from '../ground/text.ts';
import { ref } from './ref.ts';

/** `final`: added in a review of the plan; it keeps this name because journals hold it. `person`: for what they added to PRD.md. */
export const taskSource = z.enum(['plan', 'evaluation', 'vrc', 'final', 'hidden', 'course_correction', 'person']);

/** Characters. */
export const longestDescription = 1000;
/** Nobody counts while writing, and a refusal costs the plan once more: so many are taken, a quarter more than is told. */
export const mostDescription = 1250;
export const longestTitle = 40;

/** What a builder says of its work. */
export const taskReport = z.object({
  verified: z.string(),
  notes: z.string(),
  /** What was built, for the commit's subject. */
  summary: z.string().optional(),
});
export type TaskReport = z.infer<typeof taskReport>;

const schema = z.object({
  id: z.string(),
  status: z.enum(['pending', 'reported', 'done', 'descoped']),
  source: taskSource,
  /** Its name in lists; absent in older plans and for findings. */
  title: z.string().optional(),
  description: z.string(),
  /** Why it matters to the user. */
  value: z.string(),
  /** Ids of the requirements that it serves; of a finding, those whose verifications did not see it. */
  prdSection: z.array(z.string()),
  /** Scripts that stayed green although it was so: they say nothing about this task. Absent in older plans and for planned tasks. */
  unseen: z.array(ref).optional(),
  /** How to tell that it is done. */
  acceptance: z.string(),
  dependencies: z.array(z.string()),
  phase: z.string(),
  filesExpected: z.array(z.string()),
  /** What the builder reported; shown next to the engine's own record of the change. */
  report: taskReport.optional(),
  /** Why the last attempt was not kept. */
  setback: z.string().optional(),
  /** Why it is open again after it was planned, or done. */
  reopened: z.string().optional(),
  /** Why it was dropped. */
  dropped: z.string().optional(),
  /** Tasks that replace this one, so that dropping it needs no consent of the person. */
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
  /** The person wants it built before another one; last where that is null. */
  z.object({ fact: z.literal('task.moved'), id: z.string(), before: z.string().nullable() }),
  z.object({ fact: z.literal('task.reported'), id: z.string(), report: schema.shape.report.unwrap() }),
  /** A task that changed nothing: verifications that are able to fail show that it is done. */
  z.object({ fact: z.literal('task.shown'), id: z.string() }),
  z.object({ fact: z.literal('task.returned'), id: z.string(), why: z.string() }),
  /** What it serves asks for something else now. */
  z.object({ fact: z.literal('task.reopened'), id: z.string(), why: z.string() }),
  /** The person gives it up; carried out between two decisions, on a clean tree. */
  z.object({ fact: z.literal('task.skip-asked'), id: z.string() }),
  /** The person wants one more attempt, though none was left. */
  z.object({ fact: z.literal('task.retry-asked'), id: z.string() }),
  z.object({ fact: z.literal('task.descoped'), id: z.string(), why: z.string(), replacedBy: z.array(z.string()).optional() }),
] as const;
export type TaskFact = Exclude<z.infer<(typeof taskFacts)[number]>, { fact: `task.${'skip' | 'retry'}-asked` }>;

export type Tasks = Readonly<Record<string, Task>>;

export function reduceTasks(tasks: Tasks, fact: TaskFact): Tasks {
  switch (fact.fact) {
    case 'task.added':
      return { ...tasks, [fact.task.id]: fact.task };
    case 'task.modified':
      return updateTask(tasks, fact.id, definedOnly(fact.change));
    case 'task.removed': {
      const { [fact.id]: _removed, ...rest } = tasks;
      return rest;
    }
    case 'task.moved':
      return moveTask(tasks, fact);
    case 'task.reported':
      return updateTask(tasks, fact.id, { status: 'reported', report: fact.report });
    case 'task.shown':
      return settleTask(tasks, fact.id);
    case 'task.returned':
      return updateTask(tasks, fact.id, { status: 'pending', setback: fact.why });
    case 'task.reopened':
      return updateTask(tasks, fact.id, { status: 'pending', reopened: fact.why });
    case 'task.descoped':
      return descope(tasks, fact);
  }
}

/** The order of tasks is the order in which they are built, as far as what they depend on allows. */
function moveTask(tasks: Tasks, { id, before }: Extract<TaskFact, { fact: 'task.moved' }>): Tasks {
  const moved = tasks[id];
  if (!moved) return tasks;
  const others = Object.values(tasks).filter((task) => task.id !== id);
  const at = others.findIndex((task) => task.id === before);
  const ordered = others.toSpliced(at < 0 ? others.length : at, 0, { ...moved, phase: others[at]?.phase ?? moved.phase });
  return Object.fromEntries(ordered.map((task) => [task.id, task]));
}

/** Tasks that depended on a replaced task now depend on its replacements. */
function descope(tasks: Tasks, { id, why, replacedBy }: Extract<TaskFact, { fact: 'task.descoped' }>): Tasks {
  const dropped = updateTask(tasks, id, { status: 'descoped', dropped: why, ...(replacedBy ? { replacedBy } : {}) });
  if (!replacedBy) return dropped;
  const swapped = Object.values(dropped).map((task): [string, Task] => {
    if (!task.dependencies.includes(id) || replacedBy.includes(task.id)) return [task.id, task];
    const dependencies = [...new Set(task.dependencies.flatMap((d) => (d === id ? replacedBy : [d])))];
    return [task.id, { ...task, dependencies }];
  });
  return Object.fromEntries(swapped);
}

/** Its title; where it has none, the first words of its description. */
export function titleOf({ title, description }: Pick<Task, 'title' | 'description'>): string {
  if (title !== undefined && title.trim() !== '') return oneLine(title);
  return firstWords(oneLine(description), longestTitle);
}

/** Made for a finding of an assessment or evaluation: it may serve no requirement, or several. */
export function isFinding({ source }: Pick<Task, 'source'>): boolean {
  return source === 'evaluation' || source === 'vrc' || source === 'hidden';
}

/** The first ids that are free, because the plan may have used some of them. */
export function freeIds(tasks: Tasks, letter: string, count: number): string[] {
  const ids: string[] = [];
  for (let n = 1; ids.length < count; n += 1) if (!Object.hasOwn(tasks, `${letter}${n}`)) ids.push(`${letter}${n}`);
  return ids;
}

/** Marks a task as done if it was reported. Its last attempt was kept, whatever became of those before. */
export function settleTask(tasks: Tasks, id: string): Tasks {
  const known = tasks[id];
  if (known?.status !== 'reported') return tasks;
  const { setback: _over, ...task } = known;
  return { ...tasks, [id]: { ...task, status: 'done' } };
}

/** Neither done nor descoped. */
export function isOpen(task: Task): boolean {
  return task.status === 'pending' || task.status === 'reported';
}

/** Whether `from` is `to`, or depends on it directly or through others. */
export function leadsTo(tasks: Tasks, from: string, to: string): boolean {
  const visited = new Set<string>();
  const stack = [from];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    if (id === to) return true;
    if (!visited.has(id)) stack.push(...(tasks[id]?.dependencies ?? []));
    visited.add(id);
  }
  return false;
}

/** Pending tasks that were added after the plan and that no review has covered. */
export function unreviewed(tasks: Tasks, reviewed: readonly string[]): Task[] {
  return Object.values(tasks).filter((t) => t.source !== 'plan' && t.status === 'pending' && !reviewed.includes(t.id));
}

function updateTask(tasks: Tasks, id: string, change: Partial<Task>): Tasks {
  const known = tasks[id];
  return known ? { ...tasks, [id]: { ...known, ...change } } : tasks;
}

function definedOnly<T extends object>(change: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
