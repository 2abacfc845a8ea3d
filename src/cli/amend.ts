/** `loop amend`: what the person changed in Vision and PRD since, what that re-opens, and their word about it. */
import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { goesOn } from '../engine/core/fold.ts';
import { InputError, Refusal } from '../engine/ground/errors.ts';
import { changeOf } from '../engine/person/amend.ts';
import { shellQuoted } from '../engine/ground/shell-quoted.ts';
import { oneLine } from '../engine/ground/text.ts';
import type { State } from '../engine/state/state.ts';
import { changeIn, changeWords, proposedIn, readDocuments, type Proposed } from '../host/documents.ts';
import { replaceFile } from '../host/disk.ts';
import { openPayloads } from '../host/payloads.ts';
import { readSprint } from '../host/sprint.ts';
import type { Command } from './arguments.ts';
import { exitCodes } from './exit-codes.ts';
import { plain } from './plain.ts';
import type { Streams } from './run.ts';
import { sayAtOnce } from './say.ts';

type AmendCommand = Extract<Command, { name: 'amend' }>;

/** @returns 0 when it is in the journal, or nothing waits for their word; else 3. @throws InputError */
export async function amend({ sprintDir, answer, points }: AmendCommand, streams: Streams): Promise<number> {
  if (answer === undefined) return show(sprintDir, streams);
  if (answer === 'accept') return accept(sprintDir, points, streams);
  if (answer === 'stop') return sayAtOnce(sprintDir, { kind: 'pause' }, streams);
  return sayAtOnce(sprintDir, { kind: 'amend', answer, documents: await readDocuments(sprintDir) }, streams);
}

/** The documents are the person's; they are written on this word of theirs, and on no other. */
async function accept(sprintDir: string, points: readonly string[], streams: Streams): Promise<number> {
  const state = await going(sprintDir);
  const { documents, left } = await proposedIn(
    sprintDir,
    state,
    points.map((id) => id.toUpperCase()),
  );
  for (const { id, quote, document } of left)
    streams.err(
      plain(
        `${id}: "${quote}" does not stand in ${document} once. Change it there yourself, then: loop amend ${shellQuoted(sprintDir)} take\n`,
      ),
    );
  if (documents.length === 0)
    throw new InputError('No wording is proposed that could be written.', 'Change the documents yourself, or answer by loop answer.');
  await requireTakeable(sprintDir, state, documents);
  for (const { name, text } of documents) await rewrite(join(sprintDir, name), text);
  streams.out(plain(proposalLines(documents)));
  return sayAtOnce(sprintDir, { kind: 'amend', answer: 'take', documents: await readDocuments(sprintDir) }, streams);
}

/** Before anything is written. What they were only writing themselves must not go along unseen. */
async function requireTakeable(sprintDir: string, state: State, proposed: Proposed['documents']): Promise<void> {
  const payloads = openPayloads(join(sprintDir, '.loop'));
  const own = await readDocuments(sprintDir);
  const others = await changeOf({ state, payloads }, own);
  if (others && others.answer !== 'take') {
    const instead = others.problem ? 'Undo' : `Take them over first (loop amend ${shellQuoted(sprintDir)} take); or undo`;
    throw new Refusal(
      `Nothing was written, since changes of your own would be taken over too. ${changeWords(others)}`,
      `${instead} them there, accept the wording, and go on writing after that.`,
    );
  }
  const texts = own.map(({ name, text }) => ({ name, text: proposed.find((one) => one.name === name)?.text ?? text }));
  const change = await changeOf({ state, payloads }, texts);
  if (change?.problem) throw change.problem;
}

/** A link stays one, and the file as readable as it was. */
async function rewrite(path: string, text: string): Promise<void> {
  const target = await realpath(path);
  await replaceFile(target, Buffer.from(text), { durable: true, mode: (await stat(target)).mode & 0o777 });
}

function proposalLines(documents: Proposed['documents']): string {
  const lines = documents.flatMap(({ name, before, edits }) =>
    edits.flatMap(({ id, start, end, text }) => [
      `${id}, ${name}:${before.slice(0, start).split('\n').length}`,
      `- ${oneLine(before.slice(start, end))}`,
      `+ ${oneLine(text)}`,
    ]),
  );
  return `${lines.join('\n')}\n`;
}

async function going(sprintDir: string): Promise<State> {
  const state = await readSprint(sprintDir);
  if (!state || !goesOn(state))
    throw new InputError(`No sprint goes on in ${sprintDir}.`, 'The next one that you start reads the documents as they are then.');
  return state;
}

async function show(sprintDir: string, { out }: Streams): Promise<number> {
  const state = await going(sprintDir);
  const { documents } = await proposedIn(sprintDir, state);
  if (documents.length > 0)
    out(plain(`Proposed:\n${proposalLines(documents)}To have it so: loop amend ${shellQuoted(sprintDir)} accept [P1 …]\n`));
  const change = await changeIn(sprintDir, state, openPayloads(join(sprintDir, '.loop')));
  const said = { take: ' You took it over.', keep: ' You keep the old text.' };
  out(
    plain(
      change ? `${changeWords(change)}${change.answer ? said[change.answer] : ''}\n` : 'The sprint goes by the documents as they are.\n',
    ),
  );
  if (!change || change.answer) return exitCodes.delivered;
  out(`Say what becomes of it: loop amend ${shellQuoted(sprintDir)} take | keep | stop\n`);
  return exitCodes.waiting;
}
