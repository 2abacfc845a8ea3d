/** What proofs left open, for those who judge the work: weak spots, assumptions, constants that look like answers. */
import type { Constants } from '../diagnose/constants.ts';
import { faultWords, strengthFor } from '../judge/strength.ts';
import { openQuestions } from '../judge/open-points.ts';
import type { State } from '../state/state.ts';
import { assumptionLines } from './point-words.ts';
import { strengthWords } from './trust-words.ts';

export function leftOpenText(state: State, constants: readonly Constants[]): string {
  const parts: [title: string, lines: string[]][] = [
    ['Requirements whose proof does not see all, with faults in the work that it does not see', weakSpots(state)],
    ['Assumed, because nobody said', assumptions(state)],
    ['Values in the code of the work that stand in the documents or in verifications', constants.map(constantWords)],
  ];
  return parts.map(([title, lines]) => `${title}:\n${shortened(lines).join('\n') || '- none known'}`).join('\n\n');
}

/** Lines that each part shows. */
const most = 20;

function shortened(lines: readonly string[]): string[] {
  return lines.length > most ? [...lines.slice(0, most), `- and ${lines.length - most} more`] : [...lines];
}

/** Faults that are told of one requirement. */
const mostFaults = 4;

function weakSpots(state: State): string[] {
  return state.work.requirements.flatMap(({ id, title }) => {
    const strength = strengthFor(state, id);
    if (!strength || strength.level === 'strong') return [];
    const faults = strength.unseen.slice(0, mostFaults).map((trial) => `  - not seen: ${faultWords(trial)}`);
    return [[`- ${id} (${title}) is ${strengthWords(strength)}`, ...faults].join('\n')];
  });
}

function assumptions(state: State): string[] {
  const skipped = Object.values(state.ledger.humanActions).filter(({ status, kind }) => status === 'skipped' && kind !== 'choice');
  return [
    ...assumptionLines(state),
    ...openQuestions(state).map((question) => `- ${question}`),
    ...skipped.map(({ action }) => `- the person did not do or say: ${action}`),
  ];
}

const kinds: Record<Constants['kind'], string> = {
  table: 'beside each other, as in a table or a chain of conditions',
  condition: 'in a condition',
  constant: 'as a constant',
};

/** Values that are told of one place. */
const mostValues = 6;

function constantWords({ path, from, to, values, kind }: Constants): string {
  const shown = values.slice(0, mostValues).map((value) => JSON.stringify(value));
  const more = values.length > mostValues ? ` and ${values.length - mostValues} more` : '';
  return `- ${path}:${from === to ? from : `${from}-${to}`}: ${shown.join(', ')}${more}, ${kinds[kind]}`;
}
