/** `loop amend`: what the person changed in Vision and PRD since, what that re-opens, and their word about it. */
import { join } from 'node:path';
import { goesOn } from '../engine/core/fold.ts';
import { InputError } from '../engine/ground/errors.ts';
import { changeIn, changeWords, readDocuments } from '../host/documents.ts';
import { openPayloads } from '../host/payloads.ts';
import { readSprint } from '../host/sprint.ts';
import type { Command } from './arguments.ts';
import { exitCodes } from './exit-codes.ts';
import { plain } from './plain.ts';
import type { Streams } from './run.ts';
import { sayAtOnce } from './say.ts';

type AmendCommand = Extract<Command, { name: 'amend' }>;

/** @returns 0 when it is in the journal, or nothing waits for their word; else 3. @throws InputError */
export async function amend({ sprintDir, answer }: AmendCommand, streams: Streams): Promise<number> {
  if (answer === undefined) return show(sprintDir, streams);
  if (answer === 'stop') return sayAtOnce(sprintDir, { kind: 'pause' }, streams);
  return sayAtOnce(sprintDir, { kind: 'amend', answer, documents: await readDocuments(sprintDir) }, streams);
}

async function show(sprintDir: string, { out }: Streams): Promise<number> {
  const state = await readSprint(sprintDir);
  if (!state || !goesOn(state))
    throw new InputError(`No sprint goes on in ${sprintDir}.`, 'The next one that you start reads the documents as they are then.');
  const change = await changeIn(sprintDir, state, openPayloads(join(sprintDir, '.loop')));
  const said = { take: ' You took it over.', keep: ' You keep the old text.' };
  out(
    plain(
      change ? `${changeWords(change)}${change.answer ? said[change.answer] : ''}\n` : 'The sprint goes by the documents as they are.\n',
    ),
  );
  if (!change || change.answer) return exitCodes.delivered;
  out(`Say what becomes of it: loop amend ${sprintDir} take | keep | stop\n`);
  return exitCodes.waiting;
}
