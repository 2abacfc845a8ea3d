/**
 * A person's edit of a verification, from the worker's side: into the record of the sprint that runs here, or of one at rest.
 */
import { answerEdit, offerEdit, type Desk, type EditAnswer, type Offer } from '../../engine/person/desk.ts';
import { answerAtRest, offerAtRest } from '../../host/edits.ts';
import type { EditOffer } from '../protocol.ts';
import type { Run } from './running-sprint.ts';

interface About {
  sprintDir: string;
  check: string;
}

/** @throws InputError where there is none, or another process runs the sprint. */
export async function editOffer({ sprintDir, check }: About, run: Run | undefined): Promise<EditOffer> {
  const desk = openDesk(run);
  const { edit, script } = desk ? await offerEdit(desk, check, true) : await offerAtRest(sprintDir, check);
  return offered(edit, script);
}

/** @throws InputError where it cannot be adopted. */
export async function editAnswer(
  { sprintDir, check, ...answer }: About & EditAnswer,
  run: Run | undefined,
): Promise<{ done: boolean }> {
  const desk = openDesk(run);
  if (!desk) return answerAtRest(sprintDir, check, answer);
  await answerEdit(desk, check, answer);
  return { done: answer.answer === 'discard' };
}

/** A run that has stopped writes nothing more; its lock goes in a moment. */
function openDesk(run: Run | undefined): Desk | undefined {
  return run?.desk && !run.desk.state.stopped ? run.desk : undefined;
}

function offered({ text, kept, atWork = false }: Offer['edit'], before: string): EditOffer {
  return { before, after: text, kept, atWork };
}
