/** What a person may say to a sprint of their own accord, at any moment; as plain data, since another process may bring it. */
import { z } from 'zod';
import { subjectWords } from '../work/word.ts';
import type { Desk } from './desk.ts';
import { tellAgents } from './tell.ts';

export const saying = z.discriminatedUnion('kind', [z.strictObject({ kind: z.literal('tell'), words: z.string(), about: z.string() })]);
export type Saying = z.infer<typeof saying>;

/**
 * Journals it at once.
 * @param letter name of the letter that brought it: it is taken once, however often it is read.
 * @returns what was taken, for the person. @throws InputError when it does not fit.
 */
export async function say(desk: Pick<Desk, 'state' | 'append'>, said: Saying, letter?: string): Promise<string> {
  const { id, about } = await tellAgents(desk, said, letter);
  return `Taken as ${id}, about ${subjectWords(about)}. Its agents read it from their next turn on.`;
}
