/** A word: what the person says to a sprint, in free text. It guides agents, and decides nothing by itself. */
import * as z from 'zod';

/** What a word is about. A verification is meant under all its names. */
const subject = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('sprint') }),
  z.object({ kind: z.enum(['task', 'requirement']), id: z.string() }),
  z.object({ kind: z.literal('verification'), id: z.string(), lineage: z.string() }),
]);
export type Subject = z.infer<typeof subject>;

/** `letter`: the name of the letter that brought it, if one did. */
const said = z.object({ id: z.string(), words: z.string(), about: subject, letter: z.string().optional() });

export const wordFacts = [z.object({ fact: z.literal('word.said'), word: said })] as const;

/** A word with its standing. */
export interface Word extends z.infer<typeof said> {
  /** Decisions that were made before it. */
  decisions: number;
  /** The decisions in whose sessions agents read it, each once. */
  readIn: string[];
}

/** `W1`, `W2` … */
export function wordId(words: readonly Word[]): string {
  return `W${words.length + 1}`;
}

/** `the whole sprint`, `task T1`. */
export function subjectWords(about: Subject): string {
  return about.kind === 'sprint' ? 'the whole sprint' : `${about.kind} ${about.id}`;
}

/** Notes that a session's model call brings these words. */
export function markRead(words: readonly Word[], ids: readonly string[], decision: string): void {
  for (const word of words) if (ids.includes(word.id) && !word.readIn.includes(decision)) word.readIn.push(decision);
}
