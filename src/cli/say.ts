/** `loop tell`, `pause`, `skip`, `retry`, `approve`, `answer`, `change`: what a person says to a sprint of their own accord. */
import type { Saying } from '../engine/person/say.ts';
import { sayTo } from '../host/desk-at-rest.ts';
import { exitCodes } from './exit-codes.ts';
import { plain } from './plain.ts';
import type { Streams } from './run.ts';

/** @returns 0 when it is in the journal. @throws InputError */
export async function sayAtOnce(sprintDir: string, said: Saying, { out }: Streams): Promise<number> {
  out(plain(`${await sayTo(sprintDir, said)}\n`));
  return exitCodes.delivered;
}
