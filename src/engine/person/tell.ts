/**
 * Takes the person's word to a sprint: guidance for its agents, from their next turn on. It changes no work, no fuel and no
 * verdict, so it may come at any moment, also in the middle of an action.
 */
import { InputError } from '../ground/errors.ts';
import { redact } from '../ground/redact.ts';
import { liveVerifications } from '../state/covers.ts';
import type { State } from '../state/state.ts';
import type { FactOf } from '../work/facts.ts';
import { wordId, type Subject, type Word } from '../work/word.ts';
import { longestWord, longestWords } from '../work/word-limits.ts';
import { recordSaid, type Desk } from './desk.ts';

/** @param about id of a task, requirement or verification, perhaps after its kind, as in `task T1`; empty for the whole sprint. */
export interface Said {
  words: string;
  about: string;
}

/** Journals the word at once, and that of a letter once. @throws InputError when it is empty or too long, or is about nothing that there is. */
export async function tellAgents(desk: Pick<Desk, 'state' | 'append'>, said: Said, letter?: string): Promise<Word> {
  const { state } = desk;
  const taken = letter === undefined ? undefined : state.ledger.words.find((one) => one.letter === letter);
  if (taken) return taken;
  const fact = wordFact(state, said, letter);
  await recordSaid(desk, fact);
  return { ...fact.word, decisions: state.ledger.decisions.length, readIn: [] };
}

/** @throws InputError when it is empty or too long, or is about nothing that there is. */
export function wordFact(state: State, { words, about }: Said, letter?: string): FactOf<'word.said'> {
  if (state.opened.kind === 'pipeline')
    throw new InputError('A pipeline takes no word on the way: its agents get the prompts of its stages.', 'Change the prompt of a stage.');
  const text = redact(words.trim());
  const known = state.ledger.words.reduce((sum, one) => sum + one.words.length, 0);
  if (text === '') throw new InputError('There is nothing to tell: no word was given.', 'Say it in a sentence or two.');
  if (text.length > longestWord)
    throw new InputError(
      `That is ${text.length} characters long; a word has at most ${longestWord}, because agents read it in their prompts.`,
      'Say it shorter, or name a file of the repository that says it.',
    );
  if (known + text.length > longestWords)
    throw new InputError(
      `All that you said to this sprint would be ${known + text.length} characters long; it holds ${longestWords}.`,
      'Say it shorter. What is more than guidance belongs into PRD.md, for the next sprint.',
    );
  const word = {
    id: wordId(state.ledger.words),
    words: text,
    about: subjectOf(state, about.trim()),
    ...(letter === undefined ? {} : { letter }),
  };
  return { fact: 'word.said', word };
}

function subjectOf({ work }: State, about: string): Subject {
  if (about === '') return { kind: 'sprint' };
  const [, kind, id = about] = /^(task|requirement|verification) +(\S+)$/.exec(about) ?? [];
  const verification = liveVerifications(work).find((one) => one.id === id);
  const found: Subject[] = [
    ...(Object.hasOwn(work.tasks, id) ? [{ kind: 'task' as const, id }] : []),
    ...(work.requirements.some((one) => one.id === id) ? [{ kind: 'requirement' as const, id }] : []),
    ...(verification ? [{ kind: 'verification' as const, id, lineage: verification.lineage }] : []),
  ];
  const meant = found.filter((one) => kind === undefined || one.kind === kind);
  const [first, second] = meant;
  if (first && !second) return first;
  if (first && second)
    throw new InputError(`${id} is a ${first.kind} and a ${second.kind}.`, `Say which: “${first.kind} ${id}” or “${second.kind} ${id}”.`);
  const tasks = Object.keys(work.tasks).slice(0, 12).join(', ');
  throw new InputError(
    `There is no ${kind ?? 'task, requirement or verification'} ${id} in this sprint.`,
    `Name one that there is (requirements: ${
      work.requirements
        .map((one) => one.id)
        .slice(0, 12)
        .join(', ') || 'none yet'
    }; tasks: ${tasks || 'none yet'}), or none, for the whole sprint.`,
  );
}
