/** A human action: something only the person can do, with a check of its own (spec/1 §8.2, design §5). */
import { z } from 'zod';

export const pause = z.object({
  id: z.string(),
  status: z.enum(['open', 'claimed', 'fulfilled', 'skipped']),
  action: z.string(),
  instructions: z.string(),
  /** Repository-relative files that they put into their own checkout; copied in, never committed. */
  paths: z.array(z.string()),
  /** Command that tells whether it was done; empty when the paths say it all. */
  command: z.string(),
  /** Task that waits for it. */
  task: z.string(),
  /** The person was told of it: before that nothing of theirs is looked at. */
  shown: z.boolean(),
  /** Nobody could be asked in this run. */
  unattended: z.boolean(),
  /** What the last look found missing. */
  missing: z.string(),
  /** A question that is answered in words: what they know of the failures of these lineages. */
  lineages: z.array(z.string()).optional(),
});
export type Pause = z.infer<typeof pause>;

export const pauseFacts = [
  z.object({ fact: z.literal('pause.opened'), pause }),
  z.object({ fact: z.literal('pause.answered'), id: z.string(), answer: z.enum(['done', 'skip']), said: z.string().optional() }),
  /** Nobody can be asked in this run: the sprint stops as `waiting` and resumes. */
  z.object({ fact: z.literal('pause.unattended'), id: z.string() }),
  z.object({ fact: z.literal('pause.checked'), id: z.string(), fulfilled: z.boolean(), missing: z.string() }),
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
  if (!known || known.status === 'fulfilled' || known.status === 'skipped') return;
  known.shown = true;
  if (fact.fact === 'pause.unattended') known.unattended = true;
  else if (fact.fact === 'pause.answered') known.status = answered(known, fact);
  else Object.assign(known, { status: fact.fulfilled ? 'fulfilled' : 'open', missing: fact.missing });
}

/** A question is answered by words; anything else is looked at by the engine first. */
function answered({ lineages }: Pause, { answer, said }: PauseAnswer): Pause['status'] {
  if (answer === 'skip') return 'skipped';
  return lineages && said?.trim() ? 'fulfilled' : 'claimed';
}

/** Waiting for the person, or for a look at what they did. */
export function isUnresolved(p: Pause): boolean {
  return p.status === 'open' || p.status === 'claimed';
}
