/**
 * A human action: something that only the person can do or say. The engine verifies a deed itself. A hint (about failures)
 * and an advice (about how to go on) are answered in words; an approval is given or not yet given.
 */
import * as z from 'zod';
import { point, type Point } from './document-review.ts';
import { condition } from './needs.ts';
import { isOpen, type Task, type Tasks } from './task.ts';

const common = {
  id: z.string(),
  /** `answered`: the person answered, and the engine has not acted on it yet. `not-needed`: the reason for asking is gone. */
  status: z.enum(['open', 'answered', 'fulfilled', 'skipped', 'not-needed']),
  /** The person's latest answer, and how many they gave. */
  answer: z.enum(['done', 'skip']).nullable(),
  answers: z.number(),
  action: z.string(),
  instructions: z.string(),
  /** Task that waits for it; empty if all tasks of `requirements` wait. */
  task: z.string(),
  /** Requirements whose tasks wait for it, including tasks that are added later. */
  requirements: z.array(z.string()),
  /** The person was asked. Before that nothing is copied from their checkout. */
  shown: z.boolean(),
  /** No person can be asked until the sprint is resumed. */
  unattended: z.boolean(),
  /** What was still missing when the engine last verified it. */
  missing: z.string(),
};
/** Of a question that an agent asks. */
const ofAgents = {
  /** What agents take where the person skips it, so a skip drops nothing; left out of a question of the engine's own. */
  otherwise: z.string().optional(),
  /** What the person said to it. */
  said: z.string().optional(),
};
const deed = z.object({
  ...common,
  kind: z.literal('deed'),
  /** Repository-relative files that the person puts into their checkout; copied into the worktree, never committed. */
  paths: z.array(z.string()),
  /** Command that verifies the deed; empty if paths and needs are enough. */
  command: z.string(),
  /** Other conditions that the machine must meet. */
  needs: z.array(condition),
  /** All conditions held already when the person was asked, so only their answer tells that it is done. */
  held: z.boolean(),
  /** The worktree was prepared again after it was fulfilled. */
  prepared: z.boolean(),
  /** Verifications and services that cannot pass without it, by lineage: the environment is at fault. */
  lineages: z.array(z.string()),
});
export type Deed = z.infer<typeof deed>;

const humanActionSchema = z.discriminatedUnion('kind', [
  deed,
  /** What the person knows about the failures of these lineages. */
  z.object({ ...common, ...ofAgents, kind: z.literal('hint'), lineages: z.array(z.string()).min(1) }),
  z.object({ ...common, ...ofAgents, kind: z.literal('advice') }),
  /** What is open in Vision and PRD, all at once. What the person chose is here by the point's id; for all else Loop decides. */
  z.object({ ...common, kind: z.literal('choice'), points: z.array(point).min(1), chosen: z.record(z.string(), z.string()) }),
  /** Of the plan, before anything is verified or built by it. */
  z.object({ ...common, kind: z.literal('approval') }),
]);
export type HumanAction = z.infer<typeof humanActionSchema>;
export type Choice = Extract<HumanAction, { kind: 'choice' }>;
/** A question that an agent asked. */
export type AgentsQuestion = Extract<HumanAction, { kind: 'hint' | 'advice' }> & { otherwise: string };

export const humanActionFacts = [
  z.object({ fact: z.literal('human-action.asked'), humanAction: humanActionSchema }),
  /** The person was asked, and the engine verified the deed for the first time. */
  z.object({ fact: z.literal('human-action.shown'), id: z.string(), held: z.boolean() }),
  /** Recorded as soon as the person answers. */
  z.object({
    fact: z.literal('human-action.answered'),
    id: z.string(),
    answer: z.enum(['done', 'skip']),
    said: z.string().optional(),
    chosen: z.record(z.string(), z.string()).optional(),
  }),
  /** The skip took effect: the tasks that waited are dropped. */
  z.object({ fact: z.literal('human-action.skipped'), id: z.string() }),
  /** No person can be asked now: the sprint stops as `waiting` and can be resumed. */
  z.object({ fact: z.literal('human-action.unattended'), id: z.string() }),
  z.object({ fact: z.literal('human-action.verified'), id: z.string(), fulfilled: z.boolean(), missing: z.string() }),
  z.object({ fact: z.literal('human-action.not-needed'), id: z.string(), why: z.string() }),
] as const;
export type HumanActionFact = z.infer<(typeof humanActionFacts)[number]>;
type Answered = Extract<HumanActionFact, { fact: 'human-action.answered' }>;

export type HumanActions = Record<string, HumanAction>;

/** The request itself; all other fields are its standing. */
type Asked = Pick<HumanAction, 'id' | 'action' | 'instructions'> & Partial<Pick<HumanAction, 'task' | 'requirements'>>;

export function deedOf({
  paths = [],
  command = '',
  needs = [],
  lineages = [],
  ...asked
}: Asked & Partial<Pick<Deed, 'paths' | 'command' | 'needs' | 'lineages'>>): Deed {
  return { ...newRequest(asked), kind: 'deed', paths, command, needs, lineages, held: false, prepared: false };
}

/** @param lineages of the failures that it asks about; none for a question about how to go on. */
export function questionOf({ otherwise, ...asked }: Asked & { otherwise?: string }, lineages: readonly string[]): HumanAction {
  const question = { ...newRequest(asked), ...(otherwise === undefined ? {} : { otherwise }) };
  return lineages.length > 0 ? { ...question, kind: 'hint', lineages: [...lineages] } : { ...question, kind: 'advice' };
}

export function choiceOf(asked: Asked, points: Point[]): Choice {
  return { ...newRequest(asked), kind: 'choice', points, chosen: {} };
}

export function approvalOf(asked: Asked): HumanAction {
  return { ...newRequest(asked), kind: 'approval' };
}

/** A request that nobody has been shown yet. */
function newRequest({ id, action, instructions, task = '', requirements = [] }: Asked) {
  const asked = { id, action, instructions, task, requirements };
  return { ...asked, status: 'open' as const, answer: null, answers: 0, shown: false, unattended: false, missing: '' };
}

export function reduceHumanActions(humanActions: HumanActions, fact: HumanActionFact): void {
  if (fact.fact === 'human-action.asked') {
    humanActions[fact.humanAction.id] = { ...fact.humanAction };
    return;
  }
  const humanAction = humanActions[fact.id];
  if (!humanAction || !isUnresolved(humanAction)) return;
  humanAction.shown = true;
  switch (fact.fact) {
    case 'human-action.shown':
      if (humanAction.kind === 'deed') humanAction.held = fact.held;
      return;
    case 'human-action.answered':
      if (humanAction.status !== 'open') return;
      humanAction.answer = fact.answer;
      humanAction.answers += 1;
      if (humanAction.kind === 'choice') humanAction.chosen = fact.chosen ?? {};
      if (isAgents(humanAction) && fact.said?.trim()) humanAction.said = fact.said.trim();
      humanAction.status = statusAfter(humanAction, fact);
      return;
    case 'human-action.skipped':
      humanAction.status = 'skipped';
      return;
    case 'human-action.unattended':
      // The resume that follows counts as the person's answer, so a deed is verified again.
      humanAction.unattended = true;
      if (humanAction.kind === 'deed') humanAction.held = false;
      return;
    case 'human-action.verified':
      humanAction.status = fact.fulfilled ? 'fulfilled' : 'open';
      humanAction.missing = fact.missing;
      if (humanAction.kind === 'deed') humanAction.held = false;
      return;
    case 'human-action.not-needed':
      humanAction.status = 'not-needed';
  }
}

/** The worktree now contains everything that was fulfilled so far. */
export function markPrepared(humanActions: HumanActions): void {
  for (const humanAction of Object.values(humanActions))
    if (humanAction.kind === 'deed' && humanAction.status === 'fulfilled') humanAction.prepared = true;
}

/** A question stays open without words. The engine still has to verify a deed, or to carry out a skip. */
function statusAfter({ kind }: HumanAction, { answer, said = '' }: Answered): HumanAction['status'] {
  if (kind === 'deed' || answer === 'skip') return 'answered';
  if (kind === 'choice' || kind === 'approval') return 'fulfilled';
  return said.trim() === '' ? 'open' : 'fulfilled';
}

/** Waiting for the person, or for the engine to act on their answer. */
export function isUnresolved({ status }: Pick<HumanAction, 'status'>): boolean {
  return status === 'open' || status === 'answered';
}

/** The engine can notice by itself that it is done: a deed whose conditions did not hold when the person was asked. */
export function isObservable(humanAction: HumanAction): humanAction is Deed {
  return humanAction.kind === 'deed' && !humanAction.held;
}

/** Whether a task cannot be done, or was given up, because of it. */
export function concerns(
  { task, requirements }: Pick<HumanAction, 'task' | 'requirements'>,
  { id, prdSection }: Pick<Task, 'id' | 'prdSection'>,
): boolean {
  return task === id || prdSection.some((one) => requirements.includes(one));
}

export function isAgents(humanAction: HumanAction): humanAction is AgentsQuestion {
  return (humanAction.kind === 'hint' || humanAction.kind === 'advice') && humanAction.otherwise !== undefined;
}

/** An answer to what an agent asked says little without the question. */
export function withQuestion(asked: HumanAction, said: string): string {
  return isAgents(asked) ? `${asked.action} ${said}` : said;
}

/** The open tasks that a skip drops. */
export function droppedBy(humanAction: HumanAction, tasks: Tasks): Task[] {
  return isAgents(humanAction) ? [] : waitingFor(humanAction, tasks);
}

/** The open tasks that wait for it. */
export function waitingFor(humanAction: HumanAction, tasks: Tasks): Task[] {
  return Object.values(tasks).filter((task) => isOpen(task) && concerns(humanAction, task));
}

/** Pending, waits for no human action, and all its dependencies are done or dropped. */
export function isReady(task: Task, tasks: Tasks, humanActions: HumanActions): boolean {
  if (task.status !== 'pending' || waitsFor(humanActions, task)) return false;
  return task.dependencies.every((id) => !tasks[id] || !isOpen(tasks[id]));
}

/** The unresolved action that a task waits for. */
export function waitsFor(humanActions: HumanActions, task: Pick<Task, 'id' | 'prdSection'>): HumanAction | undefined {
  return Object.values(humanActions).find((one) => isUnresolved(one) && concerns(one, task));
}

/** The request and its instructions for the person, as lines. @param worktree folder in which they can look themselves. */
export function askWords(humanAction: HumanAction, worktree: string | undefined): string[] {
  const { action, instructions, missing } = humanAction;
  const { paths, command } = humanAction.kind === 'deed' ? humanAction : { paths: [], command: '' };
  return [
    action,
    ...instructions
      .trim()
      .split('\n')
      .map((line) => `  ${line}`),
    ...(paths.length > 0 ? [`  Put into your checkout: ${paths.join(', ')}`] : []),
    ...(missing === '' ? [] : [`  Still missing: ${missing}`]),
    ...(command.trim() === '' ? [] : [`  Look yourself${worktree === undefined ? '' : `, in ${worktree}`}: ${command}`]),
  ];
}

/** `H1`, `H2` …; `further` counts actions that are added before it in the same step. */
export function humanActionId(humanActions: HumanActions, further = 0): string {
  return `H${Object.keys(humanActions).length + 1 + further}`;
}
