/**
 * `loop adopt`: shows the person's edit of a verification as a diff, and asks whether to adopt it. Nothing is adopted that they
 * did not read: without a terminal they name the text by the hash that was shown with it.
 */
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { InputError } from '../engine/ground/errors.ts';
import { shellQuoted } from '../engine/ground/shell-quoted.ts';
import type { Offer } from '../engine/person/edits.ts';
import { openPayloads } from '../host/payloads.ts';
import { answerEditAtRest, editsAtRest, offerAtRest } from '../host/desk-at-rest.ts';
import type { Command } from './arguments.ts';
import { changedLines } from '../engine/ground/changed-lines.ts';
import { answerTo } from './terminal-person.ts';
import { exitCodes } from './exit-codes.ts';
import { plain } from './plain.ts';
import type { Streams } from './run.ts';

type AdoptCommand = Extract<Command, { name: 'adopt' }>;
type Answer = 'adopt' | 'discard' | undefined;

/** How many digits of a hash are shown. */
const hashLength = 12;

/** @returns 0 when the edit is answered; 3 while an edit waits for an answer. @throws InputError */
export async function adopt({ sprintDir, id, text, discard }: AdoptCommand, { out }: Streams): Promise<number> {
  if (id === undefined) return list(sprintDir, out);
  const offer = await offerAtRest(sprintDir, id);
  const { edit } = offer;
  if (text === undefined) out(plain(await describe(sprintDir, id, offer)));
  if (text !== undefined && !edit.text.startsWith(text))
    throw new InputError(
      `The edit of ${id} that waits is ${edit.text.slice(0, hashLength)}, not ${text}.`,
      `Look at it: loop adopt ${shellQuoted(sprintDir)} ${id}`,
    );
  const answer = discard ? 'discard' : text === undefined ? await ask() : 'adopt';
  if (answer === undefined) {
    out(
      `Nothing is decided. To adopt it without a terminal: loop adopt ${shellQuoted(sprintDir)} ${id} --text ${edit.text.slice(0, hashLength)}\n`,
    );
    return exitCodes.waiting;
  }
  const { done } = await answerEditAtRest(sprintDir, id, { text: edit.text, answer });
  out(answer === 'discard' ? `Discarded. ${id} stays as it is; your text is kept as ${edit.kept}.\n` : adoptedWords(id, done));
  return exitCodes.delivered;
}

function adoptedWords(id: string, done: boolean): string {
  const when = done ? `${id} is yours now` : `${id} becomes yours before the next decision, after the interrupted one has ended`;
  return `Adopted: ${when}. It is run and proven anew when the sprint goes on.\n`;
}

async function list(sprintDir: string, out: Streams['out']): Promise<number> {
  const open = await editsAtRest(sprintDir);
  for (const { id, kept, text } of open) out(plain(`${id}: edited, kept as ${kept}, text ${text.slice(0, hashLength)}\n`));
  out(open.length === 0 ? 'No verification was edited.\n' : `Look at one, and decide: loop adopt ${shellQuoted(sprintDir)} ID\n`);
  return open.length === 0 ? exitCodes.delivered : exitCodes.waiting;
}

async function describe(sprintDir: string, id: string, { edit, script }: Offer): Promise<string> {
  const payloads = openPayloads(join(sprintDir, '.loop'));
  const [before, after] = [await payloads.get(script), await payloads.get(edit.text)];
  const warning = edit.atWork ? 'It was changed while agents were at work: adopt it only if you wrote it.\n' : '';
  const lines = changedLines(before, after).map((line) => `  ${line}\n`);
  return `Your edit of ${id}, kept as ${edit.kept}, text ${edit.text.slice(0, hashLength)}:\n${lines.join('')}${warning}`;
}

async function ask(): Promise<Answer> {
  if (!process.stdin.isTTY) return undefined;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const typed = await answerTo(terminal, 'Adopt it as the verification, to be proven anew? [adopt/discard/Enter for neither] ');
    const answer = typed.trim().toLowerCase();
    return answer === 'adopt' || answer === 'discard' ? answer : undefined;
  } finally {
    terminal.close();
  }
}
