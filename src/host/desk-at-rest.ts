/**
 * Records a person's answers about a sprint that does not run: under its lock, in its journal, with the same desk as while it
 * runs. If a decision was interrupted, the answer is carried out when the sprint goes on, before its next decision.
 */
import { InputError } from '../engine/ground/errors.ts';
import { advance, fold, goesOn } from '../engine/core/fold.ts';
import { fileOf, openEdit, type KnownEdit } from '../engine/judge/open-edits.ts';
import { answerHumanAction, type Answer, type Desk } from '../engine/person/desk.ts';
import { answerEdit, setEditsAside, offerEdit, takeEdits, type EditAnswer, type Offer } from '../engine/person/edits.ts';
import { say, type Saying } from '../engine/person/say.ts';
import { liveVerifications } from '../engine/state/covers.ts';
import type { Draft, Event } from '../engine/state/events.ts';
import type { State } from '../engine/state/state.ts';
import { systemClock } from './clock.ts';
import { openJournal } from './journal.ts';
import { sendLetter } from './letters.ts';
import { acquireLock, inspectLock } from './lock.ts';
import { openLoopFolder } from './loop-folder.ts';
import { openPayloads } from './payloads.ts';
import { openShelf } from './shelf.ts';
import { journalPath, readSprint } from './sprint.ts';
import { createVerificationFiles } from './verification-files.ts';

/**
 * Answers a human action. On disk when it returns.
 * @throws InputError where it is not open or takes no such answer, or the sprint runs or is over.
 */
export function answerActionAtRest(sprintDir: string, id: string, answer: Answer): Promise<void> {
  return atRest(sprintDir, (desk) => answerHumanAction(desk, id, answer));
}

/** The edit of a verification that waits for the person's answer. @throws InputError where there is none, or the sprint runs or is over. */
export function offerAtRest(sprintDir: string, id: string): Promise<Offer> {
  return atRest(sprintDir, (desk) => offerEdit(desk, id, desk.state.open !== null));
}

/** All edits that wait for the person's answer. @throws InputError where the sprint runs or is over. */
export function editsAtRest(sprintDir: string): Promise<KnownEdit[]> {
  return atRest(sprintDir, async (desk) => {
    await setEditsAside(desk, desk.state.open !== null);
    return liveVerifications(desk.state.work).flatMap((verification) => openEdit(desk.state, verification) ?? []);
  });
}

/** Answers an edit. @returns whether the answer is carried out already. @throws InputError where it cannot be. */
export function answerEditAtRest(sprintDir: string, id: string, answer: EditAnswer): Promise<{ done: boolean }> {
  return atRest(sprintDir, async (desk) => {
    await answerEdit(desk, id, answer);
    await takeEdits(desk);
    const waits = Object.values(desk.state.ledger.edits).some((all) => all.some((edit) => edit.answer === 'adopt'));
    return { done: !waits };
  });
}

/**
 * Takes what a person says of their own accord: by a letter where another process runs the sprint, else in its journal.
 * @returns what was taken. @throws InputError where it does not fit, or the sprint is over, or nobody takes it.
 */
export async function sayTo(sprintDir: string, said: Saying): Promise<string> {
  const isRunning = async (): Promise<boolean> => (await inspectLock(sprintDir)) !== undefined;
  const branch = (await isRunning()) ? (await readSprint(sprintDir))?.opened.branch : undefined;
  const taken = branch === undefined ? undefined : await sendLetter(sprintDir, said, { branch, isRunning });
  if (taken !== undefined) return taken;
  if (said.kind === 'pause')
    throw new InputError('The sprint does not run, so there is nothing to pause.', 'What you resume goes on where it stopped.');
  return atRest(sprintDir, (desk) => say(desk, said));
}

async function atRest<T>(sprintDir: string, use: (desk: Desk) => Promise<T>): Promise<T> {
  const lock = await acquireLock(sprintDir);
  try {
    requireOpen(await readSprint(sprintDir), sprintDir);
    const folder = await openLoopFolder(sprintDir);
    const journal = await openJournal(journalPath(sprintDir));
    const state = fold(journal.events);
    const payloads = openPayloads(folder);
    const verifications = createVerificationFiles(openShelf(folder), payloads);
    const append = async (draft: Draft): Promise<void> => {
      const event: Event = { n: state.n + 1, owner: journal.owner, at: systemClock.now(), ...draft };
      await journal.append(event);
      advance(state, event);
    };
    try {
      const result = await use({ state, ports: { payloads, verifications }, append });
      for (const verification of Object.values(state.work.verifications)) await verifications.render(fileOf(state, verification));
      return result;
    } finally {
      await journal.close();
    }
  } finally {
    await lock.release();
  }
}

function requireOpen(state: State | undefined, sprintDir: string): void {
  if (!state) throw new InputError(`No sprint was started in ${sprintDir}.`, 'Start one first.');
  if (!goesOn(state)) {
    const next = 'Start another one: its QC writes new verifications for the Vision and PRD.';
    throw new InputError(`Sprint ${state.opened.sprint} is over and cannot be changed any more.`, next);
  }
}
