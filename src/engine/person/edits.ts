/**
 * What becomes of a text that somebody put into the file of a verification. It is noticed when the check runs, when a run
 * begins, or when the person says that there is one: first kept and written down, then taken out of the file (I2). It
 * becomes the verification only on a person's word, and that is carried out between two decisions on a clean tree, so that
 * no open action and no undo meets another script than it began with (I1, I10).
 */
import { InputError } from '../ground/errors.ts';
import type { State } from '../state/state.ts';
import { recordSaid, type Desk } from './desk.ts';
import { adopted, dueEdits, editable, fileOf, openEdit, type KnownEdit } from '../judge/open-edits.ts';
import { liveRunnable } from '../state/covers.ts';
import type { Verification } from '../work/verification.ts';
import type { Ref } from '../work/ref.ts';

/**
 * Looks at the file of one check; a text of somebody else's is kept, told once, and taken out of the file.
 * @param atWork agents were at work since it was last looked at.
 * @returns the edit, when it is news.
 */
export async function setEditAside(desk: Desk, verification: Verification, atWork: boolean): Promise<KnownEdit | undefined> {
  const { state, ports } = desk;
  const found = await ports.verifications.look(fileOf(state, verification));
  if (found === undefined) return undefined;
  const text = await ports.payloads.put(found.text);
  const known = openEdit(state, verification);
  const kept = known?.text === text ? known.kept : found.kept;
  if (known?.text !== text) {
    const { id, lineage } = verification;
    await recordSaid(desk, { fact: 'verification.edited', id, lineage, kept, text, atWork });
  }
  await ports.verifications.restore(fileOf(state, verification), { text, kept });
  return known?.text === text ? undefined : openEdit(state, verification);
}

/** The same for every check that has a file to edit. */
export async function setEditsAside(desk: Desk, atWork: boolean): Promise<void> {
  for (const verification of liveRunnable(desk.state.work)) await setEditAside(desk, verification, atWork);
}

/** What the person is shown before they decide. */
export interface Offer {
  edit: KnownEdit;
  /** The script that it would take the place of. */
  script: Ref;
}

/**
 * The edit of a check that waits for a word; looks at its file first.
 * @throws InputError where no text of theirs can take that one's place, or nobody edited it.
 */
export async function offerEdit(desk: Desk, id: string, atWork: boolean): Promise<Offer> {
  const { state } = desk;
  const verification = scriptNamed(state, id);
  await setEditAside(desk, verification, atWork);
  const edit = openEdit(state, verification);
  if (!edit) throw noEdit(verification, await desk.ports.verifications.isOlder(fileOf(state, verification)));
  return { edit, script: verification.script };
}

/** @param isOlder an older text of the verification lies in its file. */
function noEdit({ id, ext }: Verification, isOlder: boolean): InputError {
  const file = `.loop/verifications/${id}.${ext}`;
  return isOlder
    ? new InputError(
        `The file of verification ${id} holds an older text of its own, which is no edit: Loop puts the present one back.`,
        `To have the older one, change a character of it (a comment, say), save it as ${file}, then adopt it.`,
      )
    : new InputError(`The file of verification ${id} is as it should be.`, `Edit and save ${file}, then adopt it.`);
}

/**
 * Writes the person's word down. Carried out at once where nothing is open, else before the next decision.
 * @param text of the edit that they saw: about another one they said nothing.
 * @throws InputError where that edit waits for no word, or cannot become the verification.
 */
export async function answerEdit(desk: Desk, id: string, { text, answer }: EditAnswer): Promise<void> {
  const { state, ports } = desk;
  const { lineage, ...verification } = scriptNamed(state, id);
  const edit = openEdit(state, { lineage });
  if (edit?.text !== text)
    throw new InputError(`That is not the edit of ${verification.id} that waits for your word.`, 'Look at it again, then decide.');
  if (answer === 'adopt') {
    const made = adopted(state, edit, await ports.payloads.get(text));
    if ('problem' in made) throw new InputError(made.problem, made.next);
  }
  await recordSaid(desk, { fact: 'edit.answered', lineage, text, answer });
}

export interface EditAnswer {
  text: string;
  answer: 'adopt' | 'discard';
}

/** Makes verifications of what the person adopted; nothing while an action or a change of the tree is open. */
export async function takeEdits(desk: Desk): Promise<void> {
  for (const { lineage, ...edit } of dueEdits(desk.state)) {
    const made = adopted(desk.state, edit, await desk.ports.payloads.get(edit.text));
    const { text } = edit;
    await recordSaid(
      desk,
      'problem' in made ? { fact: 'edit.refused', lineage, text, why: made.problem } : { fact: 'verification.adopted', verification: made },
    );
  }
}

/** @throws InputError where that is no script of Loop's that runs. */
function scriptNamed({ work }: State, id: string): Verification {
  const verification = editable(work, id);
  if ('problem' in verification) throw new InputError(verification.problem, verification.next);
  return verification;
}
