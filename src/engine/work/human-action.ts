/**
 * A human action: something that only the person can do or say. A deed is done, and the engine looks whether it was; a hint and
 * an advice are said in words, the one about failures, the other about how the sprint goes on.
 */
import { z } from 'zod';
import { condition } from './needs.ts';
import { isOpen, type Task, type Tasks } from './task.ts';

const common = {
  id: z.string(),
  /** `answered`: their word is there, and the engine has not acted on it yet. `not-needed`: what was asked about is gone. */
  status: z.enum(['open', 'answered', 'fulfilled', 'skipped', 'not-needed']),
  /** Their latest word, and how often they gave one. */
  answer: z.enum(['done', 'skip']).nullable(),
  answers: z.number(),
  action: z.string(),
  instructions: z.string(),
  /** Task that waits for it; empty when all tasks of `requirements` do. */
  task: z.string(),
  /** Requirements whose tasks wait for it, also those that are added later. */
  requirements: z.array(z.string()),
  /** The person was told of it: before that nothing of theirs is looked at. */
  shown: z.boolean(),
  /** Nobody could be asked in this run. */
  unattended: z.boolean(),
  /** What the last look found missing. */
  missing: z.string(),
};
const deed = z.object({
  ...common,
  kind: z.literal('deed'),
  /** Repository-relative files that they put into their own checkout; copied in, never committed. */
  paths: z.array(z.string()),
  /** Command that tells whether it was done; empty when paths and needs say it all. */
  command: z.string(),
  /** What the machine must offer besides. */
  needs: z.array(condition),
  /** All of it was there when they were told, so that only their word says that it was done. */
  held: z.boolean(),
  /** The worktree was prepared again after it was fulfilled. */
  prepared: z.boolean(),
});
export type Deed = z.infer<typeof deed>;

const humanActionSchema = z.discriminatedUnion('kind', [
  deed,
  /** What they know of the failures of these lineages. */
  z.object({ ...common, kind: z.literal('hint'), lineages: z.array(z.string()).min(1) }),
  z.object({ ...common, kind: z.literal('advice') }),
]);
export type HumanAction = z.infer<typeof humanActionSchema>;

export const humanActionFacts = [
  z.object({ fact: z.literal('human-action.asked'), humanAction: humanActionSchema }),
  /** They were told, and the engine looked for the first time. */
  z.object({ fact: z.literal('human-action.shown'), id: z.string(), held: z.boolean() }),
  /** Written down the moment that they say it. */
  z.object({ fact: z.literal('human-action.answered'), id: z.string(), answer: z.enum(['done', 'skip']), said: z.string().optional() }),
  /** Their skip was carried out: what waited for it is dropped. */
  z.object({ fact: z.literal('human-action.skipped'), id: z.string() }),
  /** Nobody can be asked in this run: the sprint stops as `waiting` and resumes. */
  z.object({ fact: z.literal('human-action.unattended'), id: z.string() }),
  z.object({ fact: z.literal('human-action.verified'), id: z.string(), fulfilled: z.boolean(), missing: z.string() }),
  z.object({ fact: z.literal('human-action.not-needed'), id: z.string(), why: z.string() }),
] as const;
export type HumanActionFact = z.infer<(typeof humanActionFacts)[number]>;
type Answered = Extract<HumanActionFact, { fact: 'human-action.answered' }>;

export type HumanActions = Record<string, HumanAction>;

/** What is asked; the rest of a human action is how it stands. */
type Asked = Pick<HumanAction, 'id' | 'action' | 'instructions'> & Partial<Pick<HumanAction, 'task' | 'requirements'>>;

export function deedOf({
  paths = [],
  command = '',
  needs = [],
  ...asked
}: Asked & Partial<Pick<Deed, 'paths' | 'command' | 'needs'>>): Deed {
  return { ...fresh(asked), kind: 'deed', paths, command, needs, held: false, prepared: false };
}

/** @param lineages of the failures that it is about; none where it is about how the sprint goes on. */
export function questionOf(asked: Asked, lineages: readonly string[]): HumanAction {
  const question = fresh(asked);
  return lineages.length > 0 ? { ...question, kind: 'hint', lineages: [...lineages] } : { ...question, kind: 'advice' };
}

/** Asked, and nothing more: nobody was told of it yet. */
function fresh({ id, action, instructions, task = '', requirements = [] }: Asked) {
  const asked = { id, action, instructions, task, requirements };
  return { ...asked, status: 'open' as const, answer: null, answers: 0, shown: false, unattended: false, missing: '' };
}

export function reduceHumanActions(humanActions: HumanActions, fact: HumanActionFact): void {
  if (fact.fact === 'human-action.asked') {
    humanActions[fact.humanAction.id] = { ...fact.humanAction };
    return;
  }
  const known = humanActions[fact.id];
  if (!known || !isUnresolved(known)) return;
  known.shown = true;
  switch (fact.fact) {
    case 'human-action.shown':
      if (known.kind === 'deed') known.held = fact.held;
      return;
    case 'human-action.answered':
      if (known.status !== 'open') return;
      known.answer = fact.answer;
      known.answers += 1;
      known.status = answered(known, fact);
      return;
    case 'human-action.skipped':
      known.status = 'skipped';
      return;
    case 'human-action.unattended':
      // Who runs the command again after that gives their word.
      known.unattended = true;
      if (known.kind === 'deed') known.held = false;
      return;
    case 'human-action.verified':
      known.status = fact.fulfilled ? 'fulfilled' : 'open';
      known.missing = fact.missing;
      if (known.kind === 'deed') known.held = false;
      return;
    case 'human-action.not-needed':
      known.status = 'not-needed';
  }
}

/** The worktree has all that was fulfilled until now. */
export function markPrepared(humanActions: HumanActions): void {
  for (const known of Object.values(humanActions)) if (known.kind === 'deed' && known.status === 'fulfilled') known.prepared = true;
}

/** A question is answered by words, and stays open without them; the engine looks at anything else, or carries it out. */
function answered({ kind }: HumanAction, { answer, said = '' }: Answered): HumanAction['status'] {
  if (kind === 'deed' || answer === 'skip') return 'answered';
  return said.trim() === '' ? 'open' : 'fulfilled';
}

/** Waiting for the person, or for the engine to act on their word. */
export function isUnresolved({ status }: Pick<HumanAction, 'status'>): boolean {
  return status === 'open' || status === 'answered';
}

/** The engine sees by itself when it is done: a deed that was not done already when they were told. */
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

/** What is left to do and cannot be done without it: a skip drops it. */
export function waitingFor(humanAction: HumanAction, tasks: Tasks): Task[] {
  return Object.values(tasks).filter((task) => isOpen(task) && concerns(humanAction, task));
}

/** The unresolved action that a task waits for. */
export function waitsFor(humanActions: HumanActions, task: Pick<Task, 'id' | 'prdSection'>): HumanAction | undefined {
  return Object.values(humanActions).find((one) => isUnresolved(one) && concerns(one, task));
}

/** What is asked of the person and how they do it, one line each. */
export function askWords(humanAction: HumanAction): string[] {
  const { action, instructions, missing } = humanAction;
  const paths = humanAction.kind === 'deed' ? humanAction.paths : [];
  return [
    action,
    ...instructions
      .trim()
      .split('\n')
      .map((line) => `  ${line}`),
    ...(paths.length > 0 ? [`  Put into your checkout: ${paths.join(', ')}`] : []),
    ...(missing === '' ? [] : [`  Still missing: ${missing}`]),
  ];
}

/** `H1`, `H2` …: the engine mints ids. */
export function humanActionId(humanActions: HumanActions, further = 0): string {
  return `H${Object.keys(humanActions).length + 1 + further}`;
}
