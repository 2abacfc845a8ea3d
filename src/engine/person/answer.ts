/** An answer to what the engine asked, as somebody types it in a command: no dialog asks for it. */
import { InputError } from '../ground/errors.ts';
import { isUnresolved, type Choice, type HumanAction } from '../work/human-action.ts';
import { answerHumanAction, type Answer, type Desk } from './desk.ts';

export interface Typed {
  /** Id of the human action; empty for the only one that is open. */
  about: string;
  /** `done`, `skip`, `recommended`, `P1=2`, `P2=own words`, or words. */
  answers: readonly string[];
}

/** @returns what was taken, for the person. @throws InputError where nothing such is asked. */
export async function answerAsTyped(desk: Pick<Desk, 'state' | 'append'>, { about, answers }: Typed): Promise<string> {
  const asked = askedBy(Object.values(desk.state.ledger.humanActions), about);
  await answerHumanAction(desk, asked.id, answerOf(asked, answers));
  return `Taken as the answer to ${asked.id} (${asked.action}). Resume the sprint if it has stopped.`;
}

function askedBy(all: readonly HumanAction[], about: string): HumanAction {
  const open = all.filter(isUnresolved);
  const [first, second] = about === '' ? open : all.filter(({ id }) => id === about);
  if (first && !second) return first;
  const ids = open.map(({ id, action }) => `${id} (${action})`).join(', ') || 'nothing';
  if (about !== '') throw new InputError(`There is no human action ${about}.`, `Open is: ${ids}.`);
  throw new InputError(first ? 'More than one thing is asked.' : 'Nothing is asked.', `Name one with --about; open is: ${ids}.`);
}

function answerOf(asked: HumanAction, answers: readonly string[]): Answer {
  const [word = ''] = answers;
  const isAlone = answers.length === 1;
  if (isAlone && word.toLowerCase() === 'skip') return 'skip';
  if (asked.kind === 'choice')
    return isAlone && word.toLowerCase() === 'recommended' ? { chosen: {} } : { chosen: chosenOf(asked, answers) };
  const isByWord = asked.kind === 'deed' || asked.kind === 'approval';
  if (isByWord && isAlone && ['done', 'approve'].includes(word.toLowerCase())) return 'done';
  return { said: answers.join(' ') };
}

/** Points that are left out are Loop's to decide. */
function chosenOf({ id, points }: Choice, answers: readonly string[]): Record<string, string> {
  const known = points.map((point) => point.id).join(', ');
  if (answers.length === 0) throw new InputError(`${id} asks about ${known}.`, 'Answer such as P1=2, P2="your words", or "recommended".');
  const chosen = answers.map((answer): [string, string] => {
    const [, name = '', words = ''] = /^\s*([A-Za-z]\d+)\s*=([^]*)$/.exec(answer) ?? [];
    const point = points.find((one) => one.id === name.toUpperCase());
    if (!point) throw new InputError(`"${answer}" answers no point of ${id}.`, `It asks about ${known}; write P1=2 or P1="your words".`);
    if (!/^\d+$/.test(words.trim())) return [point.id, words.trim()];
    const option = point.options[Number(words) - 1];
    if (!option) throw new InputError(`${point.id} has no option ${words.trim()}.`, `It has 1 to ${point.options.length}.`);
    return [point.id, option.answer];
  });
  return Object.fromEntries(chosen);
}
