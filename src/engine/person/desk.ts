/**
 * What becomes of a text that somebody put into the file of a verification. It is noticed when the check runs, when a run
 * begins, or when the person says that there is one: first kept and written down, then taken out of the file (I2). It
 * becomes the verification only on a person's word, and that is carried out between two decisions on a clean tree, so that
 * no open action and no undo meets another script than it began with (I1, I10).
 */
import type { Draft } from '../state/events.ts';
import { InputError } from '../ground/errors.ts';
import type { Ports } from '../ports.ts';
import type { State } from '../state/state.ts';
import { adopted, dueEdits, editable, fileOf, openEdit, type KnownEdit } from '../judge/edits.ts';
import { liveChecks } from '../state/covers.ts';
import type { Check } from '../work/check.ts';
import type { Ref } from '../work/ref.ts';
import type { Fact } from '../work/facts.ts';

/** A sprint whose record is open, running or at rest. */
export interface Desk {
  readonly state: State;
  readonly ports: Pick<Ports, 'payloads' | 'verifications'>;
  append(draft: Draft): Promise<void>;
}

/**
 * Looks at the file of one check; a text of somebody else's is kept, told once, and taken out of the file.
 * @param atWork agents were at work since it was last looked at.
 * @returns the edit, when it is news.
 */
export async function noticeEdit(desk: Desk, check: Check, atWork: boolean): Promise<KnownEdit | undefined> {
  const { state, ports } = desk;
  const found = await ports.verifications.look(fileOf(state, check));
  if (found === undefined) return undefined;
  const text = await ports.payloads.put(found.text);
  const known = openEdit(state, check);
  const kept = known?.text === text ? known.kept : found.kept;
  if (known?.text !== text) {
    const { id, lineage } = check;
    await say(desk, { fact: 'check.edited', id, lineage, kept, text, ...(atWork ? { atWork } : {}) });
  }
  await ports.verifications.restore(fileOf(state, check), { text, kept });
  return known?.text === text ? undefined : openEdit(state, check);
}

/** The same for every check that has a file to edit. */
export async function noticeEdits(desk: Desk, atWork: boolean): Promise<void> {
  for (const check of liveChecks(desk.state.work)) if (check.kind === 'command') await noticeEdit(desk, check, atWork);
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
  const check = scriptNamed(state, id);
  await noticeEdit(desk, check, atWork);
  const edit = openEdit(state, check);
  if (!edit) throw noEdit(check, await desk.ports.verifications.isOlder(fileOf(state, check)));
  return { edit, script: check.script };
}

/** @param isOlder an older text of the verification lies in its file. */
function noEdit({ id, ext }: Check, isOlder: boolean): InputError {
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
  const { lineage, ...check } = scriptNamed(state, id);
  const edit = openEdit(state, { lineage });
  if (edit?.text !== text)
    throw new InputError(`That is not the edit of ${check.id} that waits for your word.`, 'Look at it again, then decide.');
  if (answer === 'adopt') {
    const made = adopted(state, edit, await ports.payloads.get(text));
    if ('problem' in made) throw new InputError(made.problem, made.next);
  }
  await say(desk, { fact: 'edit.answered', lineage, text, answer });
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
    await say(
      desk,
      'problem' in made ? { fact: 'edit.refused', lineage, text, why: made.problem } : { fact: 'check.adopted', check: made },
    );
  }
}

/** @throws InputError where that is no script of Loop's that runs. */
function scriptNamed({ work }: State, id: string): Check {
  const check = editable(work, id);
  if ('problem' in check) throw new InputError(check.problem, check.next);
  return check;
}

function say(desk: Desk, fact: Fact): Promise<void> {
  return desk.append({ type: 'person.said', facts: [fact] });
}
