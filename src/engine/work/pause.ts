/** A human action: something only the person can do, with a check of its own (spec/1 §8.2, design §5). */
import { z } from 'zod';
import { condition } from './needs.ts';
import { isOpen, type Task, type Tasks } from './task.ts';

export const pause = z.object({
  id: z.string(),
  /** `moot`: what was asked about is gone, and nobody need answer. */
  status: z.enum(['open', 'claimed', 'fulfilled', 'skipped', 'moot']),
  action: z.string(),
  instructions: z.string(),
  /** Repository-relative files that they put into their own checkout; copied in, never committed. */
  paths: z.array(z.string()),
  /** Command that tells whether it was done; empty when the paths say it all. */
  command: z.string(),
  /** What the machine must offer besides; none in journals from before it could be asked for. */
  needs: z.array(condition).optional(),
  /** Task that waits for it; empty when all tasks of `requirements` do. */
  task: z.string(),
  /** Requirements whose tasks wait for it, also those that are added later. */
  requirements: z.array(z.string()).optional(),
  /** The person was told of it: before that nothing of theirs is looked at. */
  shown: z.boolean(),
  /** All of it was there when they were told, so that only their word says that it was done. */
  held: z.boolean().optional(),
  /** The worktree was prepared again after it was fulfilled. */
  prepared: z.boolean().optional(),
  /** Nobody could be asked in this run. */
  unattended: z.boolean(),
  /** What the last look found missing. */
  missing: z.string(),
  /** A question that is answered in words: what they know of the failures of these lineages; none: how the sprint goes on. */
  lineages: z.array(z.string()).optional(),
});
export type Pause = z.infer<typeof pause>;

export const pauseFacts = [
  z.object({ fact: z.literal('pause.opened'), pause }),
  /** They were told, and the engine looked for the first time. */
  z.object({ fact: z.literal('pause.told'), id: z.string(), held: z.boolean() }),
  z.object({ fact: z.literal('pause.answered'), id: z.string(), answer: z.enum(['done', 'skip']), said: z.string().optional() }),
  /** Nobody can be asked in this run: the sprint stops as `waiting` and resumes. */
  z.object({ fact: z.literal('pause.unattended'), id: z.string() }),
  z.object({ fact: z.literal('pause.checked'), id: z.string(), fulfilled: z.boolean(), missing: z.string() }),
  z.object({ fact: z.literal('pause.mooted'), id: z.string(), why: z.string() }),
] as const;
export type PauseFact = z.infer<(typeof pauseFacts)[number]>;

type PauseAnswer = Extract<PauseFact, { fact: 'pause.answered' }>;

export type Pauses = Record<string, Pause>;

export function reducePauses(pauses: Pauses, fact: PauseFact): void {
  if (fact.fact === 'pause.opened') {
    pauses[fact.pause.id] = { ...fact.pause };
    return;
  }
  const known = pauses[fact.id];
  if (!known || !isUnresolved(known)) return;
  known.shown = true;
  switch (fact.fact) {
    case 'pause.told':
      if (fact.held) known.held = true;
      return;
    case 'pause.answered':
      known.status = answered(known, fact);
      return;
    case 'pause.unattended':
      // Who runs the command again after that gives their word.
      known.unattended = true;
      delete known.held;
      return;
    case 'pause.checked':
      Object.assign(known, { status: fact.fulfilled ? 'fulfilled' : 'open', missing: fact.missing });
      delete known.held;
      return;
    case 'pause.mooted':
      known.status = 'moot';
  }
}

/** The worktree has all that was fulfilled until now. */
export function markPrepared(pauses: Pauses): void {
  for (const known of Object.values(pauses)) if (known.status === 'fulfilled') known.prepared = true;
}

/** A question is answered by words, and stays open without them; anything else is looked at by the engine first. */
function answered({ lineages }: Pause, { answer, said }: PauseAnswer): Pause['status'] {
  if (answer === 'skip') return 'skipped';
  if (lineages) return said?.trim() ? 'fulfilled' : 'open';
  return 'claimed';
}

/** Something that is done, what they know of failures, or how the sprint goes on: the last two are answered in words. */
export type Asked = 'deed' | 'hint' | 'advice';

export function askedFor({ lineages }: { lineages?: readonly string[] | undefined }): Asked {
  return lineages === undefined ? 'deed' : lineages.length > 0 ? 'hint' : 'advice';
}

/** Waiting for the person, or for a look at what they did. */
export function isUnresolved(p: Pause): boolean {
  return p.status === 'open' || p.status === 'claimed';
}

/** The engine sees by itself when it is done: no question, and not there already when they were told. */
export function isSeen({ lineages, held }: Pause): boolean {
  return lineages === undefined && held !== true;
}

/** Whether a task cannot be done, or was given up, because of it. */
export function concerns(p: Pause, task: Pick<Task, 'id' | 'prdSection'>): boolean {
  return p.task === task.id || task.prdSection.some((id) => p.requirements?.includes(id) === true);
}

/** What is left to do and cannot be done without it: a skip drops it. */
export function waitingFor(p: Pause, tasks: Tasks): Task[] {
  return Object.values(tasks).filter((task) => isOpen(task) && concerns(p, task));
}

/** The open action that a task waits for. */
export function waitsFor(pauses: Pauses, task: Pick<Task, 'id' | 'prdSection'>): Pause | undefined {
  return Object.values(pauses).find((p) => isUnresolved(p) && concerns(p, task));
}

/** What is asked of the person and how they do it, one line each. */
export function askWords({ action, instructions, paths, missing }: Pause): string[] {
  return [
    action,
    ...instructions.trim().split('\n').map((line) => `  ${line}`),
    ...(paths.length > 0 ? [`  Put into your checkout: ${paths.join(', ')}`] : []),
    ...(missing === '' ? [] : [`  Still missing: ${missing}`]),
  ]; // prettier-ignore
}

/** `H1`, `H2` …: the engine mints ids. */
export function pauseId(pauses: Pauses, further = 0): string {
  return `H${Object.keys(pauses).length + 1 + further}`;
}
