/** `loop tell`: the person's word to the agents of a sprint. */
import { sayTo } from '../host/desk-at-rest.ts';
import type { Command } from './arguments.ts';
import { exitCodes } from './exit-codes.ts';
import { plain } from './plain.ts';
import type { Streams } from './run.ts';

/** @returns 0 when the word is in the journal. @throws InputError */
export async function tell({ sprintDir, words, about }: Extract<Command, { name: 'tell' }>, { out }: Streams): Promise<number> {
  out(plain(`${await sayTo(sprintDir, { kind: 'tell', words, about })}\n`));
  return exitCodes.delivered;
}
