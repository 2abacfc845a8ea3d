/**
 * Handles texts that somebody put into the file of a verification. An edit is noticed before each decision, when a sprint goes
 * on, and when the person asks about it: the text is stored and journaled first, then taken out of the file (I2). It becomes the
 * verification only when the person adopts it, between two decisions and on a clean tree, so that the script does not change
 * under an open action or an undo (I1, I10).
 */
import { InputError } from '../ground/errors.ts';
import type { State } from '../state/state.ts';
import { recordSaid, type Desk } from './desk.ts';
import { adopted, dueEdits, editable, fileOf, openEdit, type KnownEdit } from '../judge/open-edits.ts';
import { liveRunnable } from '../state/covers.ts';
import type { Verification } from '../work/verification.ts';
import type { Ref } from '../work/ref.ts';

/**
 * Inspects the file of one verification. A text of somebody else is kept, recorded once, and taken out of the file.
 * @param atWork agents were at work since the file was last inspected.
 * @returns the edit, when it is new.
 */
export async function setEditAside(desk: Desk, verification: Verification, atWork: boolean): Promise<KnownEdit | undefined> {
  const { state, ports } = desk;
  const edited = await ports.verifications.look(fileOf(state, verification));
  if (edited === undefined) return undefined;
  const text = await ports.payloads.put(edited.text);
  const known = openEdit(state, verification);
  const kept = known?.text === text ? known.kept : edited.kept;
  if (known?.text !== text) {
    const { id, lineage } = verification;
    await recordSaid(desk, { fact: 'verification.edited', id, lineage, kept, text, atWork });
  }
  await ports.verifications.restore(fileOf(state, verification), { text, kept });
  return known?.text === text ? undefined : openEdit(state, verification);
}

/** The same for every verification with a file to edit. */
export async function setEditsAside(desk: Desk, atWork: boolean): Promise<void> {
  for (const verification of liveRunnable(desk.state.work)) await setEditAside(desk, verification, atWork);
}

/** What the person is shown before they decide. */
export interface Offer {
  edit: KnownEdit;
  /** The script that it would replace. */
  script: Ref;
}

/**
 * The edit of a verification that waits for the person's answer; inspects the file first.
 * @throws InputError when the person cannot replace that verification, or nobody edited it.
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
 * Records the person's answer to an edit; `takeEdits` carries it out.
 * @throws InputError when that edit waits for no answer, or cannot become the verification.
 */
export async function answerEdit(desk: Desk, id: string, { text, answer }: EditAnswer): Promise<void> {
  const { state, ports } = desk;
  const { lineage, ...verification } = scriptNamed(state, id);
  const edit = openEdit(state, { lineage });
  if (edit?.text !== text)
    throw new InputError(`That is not the edit of ${verification.id} that waits for your word.`, 'Look at it again, then decide.');
  if (answer === 'adopt') {
    const result = adopted(state, edit, await ports.payloads.get(text));
    if ('problem' in result) throw new InputError(result.problem, result.next);
  }
  await recordSaid(desk, { fact: 'edit.answered', lineage, text, answer });
}

export interface EditAnswer {
  /** The edit that was shown to the person: the answer is about no other. */
  text: string;
  answer: 'adopt' | 'discard';
}

/** Turns adopted edits into verifications; does nothing while an action or a change of the tree is open. */
export async function takeEdits(desk: Desk): Promise<void> {
  for (const { lineage, ...edit } of dueEdits(desk.state)) {
    const result = adopted(desk.state, edit, await desk.ports.payloads.get(edit.text));
    const { text } = edit;
    await recordSaid(
      desk,
      'problem' in result
        ? { fact: 'edit.refused', lineage, text, why: result.problem }
        : { fact: 'verification.adopted', verification: result },
    );
  }
}

/** @throws InputError when the id names no script that the person may edit. */
function scriptNamed({ work }: State, id: string): Verification {
  const verification = editable(work, id);
  if ('problem' in verification) throw new InputError(verification.problem, verification.next);
  return verification;
}
