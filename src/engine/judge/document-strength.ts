/** How much a proof of a document proves: of a work in no language into which faults of programs can be put. */
import type { Measure } from '../work/verification.ts';
import { faultWords } from './fault-words.ts';
import { together } from './met-faults.ts';
import { onceFair } from './strength-level.ts';

/** Undefined where there is none. */
export function ofDocument(measures: readonly Measure[]) {
  const documents = measures.flatMap(({ document }) => document ?? []);
  const [document] = documents.toSorted((a, b) => Number(b.seen) - Number(a.seen));
  if (!document) return undefined;
  const { path } = document;
  const trials = together(documents.flatMap((one) => one.trials ?? []));
  const unseen = trials.filter(({ outcome }) => outcome === 'unseen');
  const counts = { seen: trials.length - unseen.length, reached: trials.length, unseen };
  if (!document.seen)
    return { ...counts, level: 'weak' as const, stronger: onceFair, why: `it stays green whatever part of ${path} is taken out` };
  const [first] = unseen;
  const why = first
    ? `it sees ${counts.seen} of ${trials.length} faults in ${path}, and not ${faultWords(first)}`
    : `${path} is in no language into which Loop can put faults`;
  return { ...(trials.length > 0 ? counts : {}), level: 'fair' as const, why, stronger: 'It is never strong, since it is of a text.' };
}
