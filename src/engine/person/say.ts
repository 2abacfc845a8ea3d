/** What a person may say to a sprint of their own accord, at any moment; as plain data, since another process may bring it. */
import * as z from 'zod';
import { InputError } from '../ground/errors.ts';
import { actionWords } from '../state/rows.ts';
import { subjectWords } from '../work/word.ts';
import { answerAsTyped } from './answer.ts';
import { recordSaid, type Desk } from './desk.ts';
import { approvePlan, changeTask, taskChange } from './plan.ts';
import { amend, documentText } from './amend.ts';
import { retryTask, skipTask } from './tasks.ts';
import { tellAgents } from './tell.ts';

export const saying = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('tell'), words: z.string(), about: z.string() }),
  z.strictObject({ kind: z.literal('pause') }),
  z.strictObject({ kind: z.literal('skip'), task: z.string() }),
  z.strictObject({ kind: z.literal('retry'), task: z.string(), hint: z.string() }),
  z.strictObject({ kind: z.literal('approve') }),
  z.strictObject({ kind: z.literal('answer'), about: z.string(), answers: z.array(z.string()) }),
  z.strictObject({ kind: z.literal('change'), task: z.string(), change: taskChange }),
  z.strictObject({ kind: z.literal('amend'), answer: z.enum(['take', 'keep']), documents: z.array(documentText) }),
]);
export type Saying = z.infer<typeof saying>;

/**
 * Journals it at once.
 * @param letter name of the letter that brought it: it is taken once, however often it is read.
 * @returns what was taken, for the person. @throws InputError when it does not fit.
 */
export async function say(desk: Desk, said: Saying, letter?: string): Promise<string> {
  switch (said.kind) {
    case 'tell': {
      const { id, about } = await tellAgents(desk, said, letter);
      return `Taken as ${id}, about ${subjectWords(about)}. Its agents read it from their next turn on.`;
    }
    case 'pause':
      return askForPause(desk);
    case 'skip':
      return skipTask(desk, said.task);
    case 'retry':
      return retryTask(desk, said, letter);
    case 'approve':
      return approvePlan(desk);
    case 'answer':
      return answerAsTyped(desk, said);
    case 'change':
      return changeTask(desk, said.task, said.change);
    case 'amend':
      return amend(desk, said.documents, said.answer);
  }
}

async function askForPause(desk: Pick<Desk, 'state' | 'append'>): Promise<string> {
  const { opened, open, stopped, ledger } = desk.state;
  if (opened.kind === 'pipeline')
    throw new InputError('A pipeline cannot be paused.', 'Stop it with Ctrl+C; the same command goes on with it.');
  if (stopped) throw new InputError('The sprint has stopped already.', 'There is nothing to pause.');
  if (!ledger.pauseAsked) await recordSaid(desk, { fact: 'pause.asked' });
  const now = open ? `${actionWords[open.decision.action]} ${open.decision.target}`.trim() : 'Deciding';
  return `It pauses after this step (${now}). Resume it whenever you like: it goes on from there.`;
}
