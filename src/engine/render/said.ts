/** What the person said: for agents, and for the person themselves. */
import { promptText } from '../ground/prompts.ts';
import { oneLine } from '../ground/text.ts';
import { actionWords } from '../state/rows.ts';
import type { State } from '../state/state.ts';
import { subjectWords, type Word } from '../work/word.ts';

/** For agents. Each line is quoted, so that no text can end the quotation. */
export function saidText(words: readonly Word[]): string {
  const quoted = words.map(({ about, words: text }) => `About ${subjectWords(about)}:\n\n${text.replaceAll(/^/gm, '> ')}`);
  return promptText('said', { words: quoted.join('\n\n') });
}

/** For the report: each word, and which sessions read it. */
export function saidLines(state: State): string[] {
  return state.ledger.words.map((word) => {
    const when = word.decisions === 0 ? 'before the first decision' : `after ${word.decisions} decisions`;
    return `- ${word.id}, about ${subjectWords(word.about)}, ${when}: “${oneLine(word.words)}” ${readWords(state, word)}.`;
  });
}

/** `read in 2 sessions: Building T1, Mending a failed verification cli/total`. */
export function readWords({ ledger }: Pick<State, 'ledger'>, { readIn }: Word): string {
  if (readIn.length === 0) return 'taken, and read by no session yet';
  const names = ledger.decisions
    .filter(({ id }) => readIn.includes(id))
    .map(({ decision: { action, target } }) => `${actionWords[action]} ${target}`.trim());
  return `read in ${readIn.length === 1 ? 'one session' : `${readIn.length} sessions`}: ${[...new Set(names)].join(', ')}`;
}
