/** The documents that hold: as the sprint opened with them, and as the person took them over since. */
import type { DocumentRef } from '../work/revision.ts';
import type { State } from './state.ts';

export function documentsOf({ opened, ledger }: Pick<State, 'opened' | 'ledger'>): DocumentRef[] {
  const taken = ledger.revisions.filter((one) => one.taken).flatMap(({ documents }) => documents);
  return opened.inputs.map((input) => taken.findLast(({ name }) => name === input.name) ?? input);
}
