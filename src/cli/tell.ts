/** `loop tell`: the person's word to the agents of a sprint. */
import { tellAtRest } from '../host/desk-at-rest.ts';
import { subjectWords } from '../engine/work/word.ts';
import type { Command } from './arguments.ts';
import { exitCodes } from './exit-codes.ts';
import { plain } from './plain.ts';
import type { Streams } from './run.ts';

/** @returns 0 when the word is in the journal. @throws InputError */
export async function tell({ sprintDir, words, about }: Extract<Command, { name: 'tell' }>, { out }: Streams): Promise<number> {
  const word = await tellAtRest(sprintDir, { words, about });
  out(plain(`Taken as ${word.id}, about ${subjectWords(word.about)}. Its agents read it from their next turn on.\n`));
  return exitCodes.delivered;
}
