/** What a person says about a sprint, from the worker's side: into the record of the one that runs here, or of one at rest. */
import { answerHumanAction, type Answer, type Desk } from '../../engine/person/desk.ts';
import { answerEdit, offerEdit, type EditAnswer, type Offer } from '../../engine/person/edits.ts';
import { answerActionAtRest, answerEditAtRest, offerAtRest } from '../../host/desk-at-rest.ts';
import type { EditOffer } from '../protocol.ts';
import type { RunningSprint } from './running-sprint.ts';

interface About {
  sprintDir: string;
  verification: string;
}

/** On disk when it returns. @throws InputError where it cannot be answered so, or another process runs the sprint. */
export async function humanActionAnswer(
  { sprintDir, id, answer }: { sprintDir: string; id: string; answer: Answer },
  run: RunningSprint | undefined,
): Promise<void> {
  const desk = openDesk(run);
  await (desk ? answerHumanAction(desk, id, answer) : answerActionAtRest(sprintDir, id, answer));
}

/** @throws InputError where there is none, or another process runs the sprint. */
export async function editOffer({ sprintDir, verification }: About, run: RunningSprint | undefined): Promise<EditOffer> {
  const desk = openDesk(run);
  const { edit, script } = desk ? await offerEdit(desk, verification, true) : await offerAtRest(sprintDir, verification);
  return offered(edit, script);
}

/** @throws InputError where it cannot be adopted. */
export async function editAnswer(
  { sprintDir, verification, ...answer }: About & EditAnswer,
  run: RunningSprint | undefined,
): Promise<{ done: boolean }> {
  const desk = openDesk(run);
  if (!desk) return answerEditAtRest(sprintDir, verification, answer);
  await answerEdit(desk, verification, answer);
  return { done: answer.answer === 'discard' };
}

/** A run that has stopped writes nothing more; its lock goes in a moment. */
function openDesk(run: RunningSprint | undefined): Desk | undefined {
  return run?.desk && !run.desk.state.stopped ? run.desk : undefined;
}

function offered({ text, kept, atWork }: Offer['edit'], before: string): EditOffer {
  return { before, after: text, kept, atWork };
}
