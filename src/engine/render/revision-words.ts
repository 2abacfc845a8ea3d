/** What taking over changed documents re-opens, in words for the person. */
import type { State } from '../state/state.ts';
import type { Reopened, Revision } from '../work/revision.ts';

/** `1.2 re-opens; 1.4 is new`. */
export function reopenedWords({ reworded, added, removed, renumbered, whole }: Reopened): string {
  const all = (ids: readonly string[], one: string, more: string): string[] =>
    ids.length === 0 ? [] : [`${ids.join(', ')} ${ids.length === 1 ? one : more}`];
  const parts = [
    ...all(reworded, 're-opens', 're-open'),
    ...all(added, 'is new', 'are new'),
    ...all(removed, 'is taken out', 'are taken out'),
    ...Object.entries(renumbered).map(([from, to]) => `${from} is ${to} now`),
  ];
  if (parts.length > 0) return parts.join('; ');
  return whole ? 'no requirement re-opens, and the whole is judged anew' : 'nothing re-opens';
}

/** `PRD.md`, `VISION.md and PRD.md`. */
export function namesOf(documents: readonly { readonly name: string }[]): string {
  return documents.map(({ name }) => name).join(' and ');
}

/** For the report: what became of each change. */
export function revisionLines({ ledger }: State): string[] {
  return ledger.revisions.map((one) => `- After ${one.decisions} decisions you changed ${namesOf(one.documents)}: ${becameOf(one)}.`);
}

function becameOf({ answer, taken }: Revision): string {
  if (taken) return `it was taken over, and ${reopenedWords(taken)}`;
  return answer === 'take' ? 'it was not taken over any more' : 'the sprint went on with the old text, as you said';
}
