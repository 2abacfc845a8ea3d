/** What a task must be before it enters the plan: deterministic rules. A rule answers with what is wrong and how to mend it. */
import { clip } from '../ground/text.ts';
import { mintLeft } from '../state/fuel.ts';
import type { State } from '../state/state.ts';
import { isFinding, isOpen, leadsTo, type Task } from '../work/task.ts';

type Rule = (task: Task, state: State) => string | undefined;

const tooSimilar = 0.75;

/** @returns the first objection to adding or changing a task, or undefined. */
export function objection(task: Task, state: State, change: 'add' | 'modify'): string | undefined {
  for (const rule of change === 'add' ? [...shape, ...addition] : shape) {
    const wrong = rule(task, state);
    if (wrong) return wrong;
  }
  return undefined;
}

const hasFields: Rule = (task) => {
  const missing = (['description', 'value', 'acceptance'] as const).filter((field) => task[field].trim() === '');
  return missing.length > 0
    ? `Task ${task.id} lacks ${missing.join(', ')}. Every task needs description, value and acceptance.`
    : undefined;
};

const servesRequirement: Rule = (task, { work }) => {
  const known = work.requirements.map((r) => r.id);
  const unknown = task.prdSection.filter((id) => !known.includes(id));
  if (unknown.length > 0) return `Task ${task.id} names ${unknown.join(', ')} in prd_section; there are ${known.join(', ')}.`;
  return task.prdSection.length === 0 && !isFinding(task)
    ? `Task ${task.id} serves no requirement. Give prd_section some of ${known.join(', ')}.`
    : undefined;
};

const dependsOnKnown: Rule = (task, { work }) => {
  const unknown = task.dependencies.filter((id) => !Object.hasOwn(work.tasks, id));
  return unknown.length > 0
    ? `Task ${task.id} depends on ${unknown.join(', ')}, which does not exist. Existing: ${Object.keys(work.tasks).join(', ') || 'none yet'}.`
    : undefined;
};

const isAcyclic: Rule = (task, { work }) =>
  task.dependencies.some((id) => leadsTo(work.tasks, id, task.id))
    ? `The dependencies of task ${task.id} lead back to it. Restructure them.`
    : undefined;

const isNew: Rule = (task, { work }) =>
  Object.hasOwn(work.tasks, task.id) ? `There is a task ${task.id} already. Modify it or take another id.` : undefined;

const isNoDuplicate: Rule = (task, { work }) => {
  const twin = Object.values(work.tasks).find((t) => isOpen(t) && similarity(t.description, task.description) >= tooSimilar);
  return twin
    ? `Task ${task.id} repeats task ${twin.id} ("${clip(twin.description, 80)}"). Modify that one, or say how this differs.`
    : undefined;
};

const isWithinMint: Rule = (task, { ledger }) =>
  task.source !== 'plan' && mintLeft(ledger) <= 0
    ? `No more tasks can be added to this sprint (${ledger.minted} were). Modify an open one.`
    : undefined;

const isWithinPlan: Rule = (task, { work, config }) =>
  task.source === 'plan' && Object.keys(work.tasks).length >= Math.floor(config.maxLoopIterations / 15)
    ? `The plan is full: ${Object.keys(work.tasks).length} tasks are as many as the sprint's fuel allows. Merge some.`
    : undefined;

const shape: Rule[] = [hasFields, servesRequirement, dependsOnKnown, isAcyclic];
const addition: Rule[] = [isNew, isNoDuplicate, isWithinMint, isWithinPlan];

/** Overlap of the words of two texts, 0 to 1 (Jaccard). */
function similarity(a: string, b: string): number {
  const [left, right] = [words(a), words(b)];
  const common = [...left].filter((word) => right.has(word)).length;
  const all = left.size + right.size - common;
  return all === 0 ? 0 : common / all;
}

function words(text: string): Set<string> {
  return new Set(
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean),
  );
}
