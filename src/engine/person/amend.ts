/**
 * Vision and PRD that the person changes while their sprint goes on: what that would re-open, and their word about it. The word is
 * journaled at once; `takeRevision` carries it out between two decisions, so that no open session and no undo meets other
 * documents (I1, I10).
 */
import * as z from 'zod';
import { InputError } from '../ground/errors.ts';
import { counted } from '../ground/text.ts';
import { newRequirements, revisionDue, takenFacts } from '../judge/revision.ts';
import { differenceOf, type Difference, type Texts } from '../parse/difference.ts';
import { minCharacters, whatToWrite } from '../parse/documents.ts';
import { templateProblems } from '../parse/template-text.ts';
import type { Payloads } from '../ports.ts';
import { namesOf, reopenedWords } from '../render/revision-words.ts';
import { documentsOf } from '../state/documents.ts';
import { mintLeft } from '../state/fuel.ts';
import type { State } from '../state/state.ts';
import { revisable } from '../ground/revisable.ts';
import { dueRevision } from '../work/revision.ts';
import { askedAfter } from './ask-again.ts';
import type { Desk } from './desk.ts';

/** A document as it lies in the sprint's folder. */
export const documentText = z.strictObject({ name: z.enum(revisable), text: z.string() });
export type DocumentText = z.infer<typeof documentText>;

/** Documents that say something else than those that hold. */
export interface Change {
  documents: readonly DocumentText[];
  difference: Difference;
  /** Of all documents, as they would hold. */
  texts: ReadonlyMap<string, string>;
  /** Why they cannot be taken over as they are. */
  problem: InputError | undefined;
  /** The person's word about exactly these texts, which is not carried out yet, or never will be. */
  answer: 'take' | 'keep' | undefined;
}

interface Sprint {
  state: State;
  payloads: Pick<Payloads, 'get'>;
}

/** @param documents all of them, as they lie there. @returns undefined where the sprint goes by them. */
export async function changeOf({ state, payloads }: Sprint, documents: readonly DocumentText[]): Promise<Change | undefined> {
  const held = new Map<string, string>();
  for (const { name, ref } of documentsOf(state)) held.set(name, await payloads.get(ref));
  const changed = documents.filter(({ name, text }) => held.get(name) !== text);
  if (changed.length === 0) return undefined;
  const now = new Map([...held, ...changed.map(({ name, text }): [string, string] => [name, text])]);
  const proofs = state.work.requirements.filter(({ line }) => line === 0);
  const difference = differenceOf(textsOf(held), textsOf(now), proofs);
  return {
    documents: changed,
    difference,
    texts: now,
    problem: problemOf(state, changed, difference),
    answer: await answerTo({ state, payloads }, changed),
  };
}

/**
 * Journals the person's word about documents that they changed, once.
 * @returns what was taken. @throws InputError where nothing was changed, or it cannot be taken over.
 */
export async function amend(desk: Desk, documents: readonly DocumentText[], answer: 'take' | 'keep'): Promise<string> {
  const { state, ports } = desk;
  if (state.opened.kind === 'pipeline') throw new InputError('A pipeline has no Vision and PRD.', 'Change the prompt of a stage.');
  const change = await changeOf({ state, payloads: ports.payloads }, documents);
  const due = dueRevision(state.ledger.revisions);
  // They put back what they had taken over, which is not carried out yet.
  if (!change && due) {
    await desk.append({ type: 'person.said', facts: [{ fact: 'documents.answered', documents: [...due.documents], answer: 'keep' }] });
    return keptWords(due.documents);
  }
  if (!change)
    throw new InputError(
      'VISION.md and PRD.md are as the sprint goes by them.',
      'Change and save one of them, then say what becomes of it.',
    );
  if (answer === 'take' && change.problem) throw change.problem;
  if (change.answer !== answer) {
    const refs = await Promise.all(change.documents.map(async ({ name, text }) => ({ name, ref: await ports.payloads.put(text) })));
    await desk.append({ type: 'person.said', facts: [{ fact: 'documents.answered', documents: refs, answer }] });
  }
  const names = namesOf(change.documents);
  return answer === 'take'
    ? `${names} is taken over before the next decision: ${reopenedWords(change.difference)}.`
    : keptWords(change.documents);
}

function keptWords(documents: readonly { readonly name: string }[]): string {
  return `The sprint goes on with the text of ${namesOf(documents)} that it has.`;
}

/** Carries out the person's word, where nothing is open. */
export async function takeRevision(desk: Desk): Promise<void> {
  const { state, ports } = desk;
  const due = revisionDue(state);
  if (!due) return;
  const texts = await Promise.all(
    due.documents.map(async ({ name, ref }) => ({ name: nameOf(name), text: await ports.payloads.get(ref) })),
  );
  const change = await changeOf({ state, payloads: ports.payloads }, texts);
  if (!change) return;
  const { difference, texts: held } = change;
  const facts = [...takenFacts(state, difference, due.documents), ...askedAfter(state, difference, held)];
  await desk.append({ type: 'person.said', facts });
}

function textsOf(documents: ReadonlyMap<string, string>): Texts {
  return { vision: documents.get('VISION.md') ?? '', prd: documents.get('PRD.md') ?? '' };
}

function nameOf(name: string): DocumentText['name'] {
  return documentText.shape.name.parse(name);
}

/** What a start would refuse, and more than the sprint can still plan. */
function problemOf(state: State, changed: readonly DocumentText[], difference: Difference): InputError | undefined {
  for (const { name, text } of changed) {
    if (text.trim().length < minCharacters) return new InputError(`${name} says next to nothing now.`, whatToWrite[name]);
    const [wrong] = name === 'PRD.md' ? difference.now.problems.filter(({ refuses }) => refuses) : templateProblems(name, text);
    if (wrong) return new InputError(`${name}:${wrong.line}: ${wrong.message}.`, wrong.next);
  }
  const [more, most] = [newRequirements(state, difference).length, Math.max(0, mintLeft(state.ledger))];
  if (more <= most) return undefined;
  return new InputError(
    `PRD.md has ${counted(more, 'new requirement')}, and this sprint may add ${counted(most, 'task')} at most.`,
    'Leave the other requirements to the next sprint.',
  );
}

/** Their last word counts. */
async function answerTo({ state, payloads }: Sprint, changed: readonly DocumentText[]): Promise<Change['answer']> {
  const last = state.ledger.revisions.at(-1);
  if (last?.documents.length !== changed.length) return undefined;
  for (const { name, ref } of last.documents) {
    const text = changed.find((one) => one.name === name)?.text;
    if (text !== (await payloads.get(ref))) return undefined;
  }
  return last.taken ? undefined : last.answer;
}
