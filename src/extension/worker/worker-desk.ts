/** Journals what the person says: at the desk of the sprint that runs here, or of a sprint that does not run. */
import { answerHumanAction, type Answer, type Desk } from '../../engine/person/desk.ts';
import { answerEdit, offerEdit, type EditAnswer, type Offer } from '../../engine/person/edits.ts';
import { say, type Saying } from '../../engine/person/say.ts';
import { answerActionAtRest, answerEditAtRest, offerAtRest, sayTo } from '../../host/desk-at-rest.ts';
import type { EditOffer } from '../protocol.ts';
import type { RunningSprint } from './running-sprint.ts';

interface About {
  sprintDir: string;
  verification: string;
}

/** The answer is on disk when this resolves. @throws InputError when it does not fit, or another process runs the sprint. */
export async function humanActionAnswer(
  { sprintDir, id, answer }: { sprintDir: string; id: string; answer: Answer },
  run: RunningSprint | undefined,
): Promise<void> {
  const desk = await openDesk(run);
  await (desk ? answerHumanAction(desk, id, answer) : answerActionAtRest(sprintDir, id, answer));
}

/** It is on disk when this resolves. @throws InputError when it does not fit. */
export async function personSays(
  { sprintDir, said }: { sprintDir: string; said: Saying },
  run: RunningSprint | undefined,
): Promise<string> {
  const desk = await openDesk(run);
  return desk ? say(desk, said) : sayTo(sprintDir, said);
}

/** @throws InputError when there is no edit, or another process runs the sprint. */
export async function editOffer({ sprintDir, verification }: About, run: RunningSprint | undefined): Promise<EditOffer> {
  const desk = await openDesk(run);
  const { edit, script } = desk ? await offerEdit(desk, verification, true) : await offerAtRest(sprintDir, verification);
  return offerView(edit, script);
}

/** @throws InputError when the edit cannot be adopted. */
export async function editAnswer(
  { sprintDir, verification, ...answer }: About & EditAnswer,
  run: RunningSprint | undefined,
): Promise<{ done: boolean }> {
  const desk = await openDesk(run);
  if (!desk) return answerEditAtRest(sprintDir, verification, answer);
  await answerEdit(desk, verification, answer);
  return { done: answer.answer === 'discard' };
}

/** Undefined also for a stopped sprint: it writes no more, and its lock is released soon. */
async function openDesk(run: RunningSprint | undefined): Promise<Desk | undefined> {
  const desk = await run?.desk();
  return desk && !desk.state.stopped ? desk : undefined;
}

function offerView({ text, kept, atWork }: Offer['edit'], before: string): EditOffer {
  return { before, after: text, kept, atWork };
}
