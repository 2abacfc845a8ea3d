/** VISION.md and PRD.md of a sprint that goes on: whether the person changed them, and what that would re-open. */
import { unwatchFile, watchFile } from 'node:fs';
import { join } from 'node:path';
import { InputError, messageOf } from '../engine/ground/errors.ts';
import { shellQuoted } from '../engine/ground/shell-quoted.ts';
import { changeOf, type Change, type DocumentText } from '../engine/person/amend.ts';
import type { Desk } from '../engine/person/desk.ts';
import { openProposals } from '../engine/judge/open-points.ts';
import { editsOf, withEdits, type Edit, type Proposal } from '../engine/parse/proposals.ts';
import type { Payloads } from '../engine/ports.ts';
import { namesOf, reopenedWords } from '../engine/render/revision-words.ts';
import type { State } from '../engine/state/state.ts';
import { revisable } from '../engine/ground/revisable.ts';
import { readDocument } from './read-inputs.ts';

export function isRevisable(name: string): boolean {
  return revisable.some((one) => one === name);
}

/** @throws InputError where one is missing or cannot be read. */
export function readDocuments(sprintDir: string): Promise<DocumentText[]> {
  return Promise.all(revisable.map(async (name) => ({ name, text: await readDocument(sprintDir, name) })));
}

/** What the person changed; undefined where the sprint goes by the documents as they lie there, or cannot go on. */
export async function changeIn(sprintDir: string, state: State, payloads: Pick<Payloads, 'get'>): Promise<Change | undefined> {
  return changeOf({ state, payloads }, await readDocuments(sprintDir));
}

/** The documents with the wording that their review proposes, and what of it fits nowhere. Nothing is written. */
export interface Proposed {
  documents: (DocumentText & { before: string; edits: readonly Edit[] })[];
  left: readonly Proposal[];
}

/** @param ids of points; all where there are none. @throws InputError where one proposes nothing. */
export async function proposedIn(sprintDir: string, state: State, ids: readonly string[] = []): Promise<Proposed> {
  const open = openProposals(state);
  const unknown = ids.find((id) => !open.some((one) => one.id === id));
  if (unknown !== undefined)
    throw new InputError(
      `${unknown} proposes no wording for the documents as they are.`,
      open.length === 0 ? 'Nothing does.' : `These do: ${open.map(({ id }) => id).join(', ')}.`,
    );
  const chosen = ids.length === 0 ? open : open.filter(({ id }) => ids.includes(id));
  const all = (await readDocuments(sprintDir)).map(({ name, text: before }) => {
    const { edits, left } = editsOf(
      before,
      chosen.filter(({ document }) => document === name),
    );
    return { name, before, edits, left, text: withEdits(before, edits) };
  });
  return { documents: all.filter(({ edits }) => edits.length > 0), left: all.flatMap(({ left }) => left) };
}

/** What it is and what would re-open, in one or two sentences. */
export function changeWords({ documents, difference, problem }: Change): string {
  const names = namesOf(documents);
  return problem
    ? `${names} was changed and cannot be taken over as it is: ${problem.message} ${problem.next}`
    : `${names} was changed. If you take it over, ${reopenedWords(difference)}.`;
}

/** Milliseconds between two looks. */
const lookEvery = 1000;

/** Tells of each change when the sprint goes on, and as soon as it is saved, until the person said what becomes of it. */
export async function followDocuments(
  sprintDir: string,
  { state, ports }: Desk,
  tell: (words: string) => void,
): Promise<{ close(): void }> {
  let told = '';
  const look = async (): Promise<void> => {
    const change = await changeIn(sprintDir, state, ports.payloads).catch(unreadable);
    const words = change && change.answer === undefined ? changeWords(change) : '';
    if (words !== '' && words !== told)
      tell(`${words} It goes on with the old text; say "loop amend ${shellQuoted(sprintDir)} take", or "keep", or "stop".`);
    told = words;
  };
  const failed = (error: unknown): void => tell(`A changed document could not be looked at: ${messageOf(error)}`);
  const onChange = (): void => void look().catch(failed);
  const files = revisable.map((name) => join(sprintDir, name));
  for (const file of files) watchFile(file, { interval: lookEvery, persistent: false }, onChange);
  await look();
  return {
    close() {
      for (const file of files) unwatchFile(file, onChange);
    },
  };
}

/** A document that is away for a moment is no change. */
function unreadable(error: unknown): undefined {
  if (!(error instanceof InputError)) throw error;
}
