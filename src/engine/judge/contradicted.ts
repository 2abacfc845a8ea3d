/**
 * What says that a verification which is not green may contradict something: it was green only in work that broke others, or
 * somebody said that it is wrong. It decides nothing. The ending tells it, because only a person can resolve it.
 */
import { counted, oneLine } from '../ground/text.ts';
import { coveredTasks, liveVerifications } from '../state/covers.ts';
import type { State } from '../state/state.ts';
import { lineagesOf, type Author } from '../work/tree.ts';
import { requirementsOf, type Runnable, type Verification } from '../work/verification.ts';
import { runsOf, wasGreen } from './trust.ts';

/** As the end of a sentence; undefined where nothing says so. */
export function whyContradicted(state: State, verification: Runnable): string | undefined {
  const whys = [apart(state, verification), doubted(state, verification)].filter((why) => why !== undefined);
  return whys.length > 0 ? whys.join('; ') : undefined;
}

/** One such change may have been careless. */
const fewest = 2;

/** It was never green on a tree that was kept, only where a change broke others. */
function apart(state: State, verification: Runnable): string | undefined {
  const { work, ledger } = state;
  const takenBack = ledger.undone.filter(({ change, broke }) => broke.length > 0 && isFor(state, change.author, verification));
  const isGreenElsewhere = runsOf(state, verification).some((run) => run.verdict === 'green' && run.where === 'tree' && run.code === null);
  if (takenBack.length < fewest || !isGreenElsewhere || wasGreen(state, verification)) return undefined;
  const broken = liveVerifications(work).filter(({ id }) => takenBack.some(({ broke }) => broke.includes(id)));
  if (broken.length === 0) return undefined;
  const others = broken.map(named).join(' and ');
  return `no work had ${named(verification)} together with ${others}; ${counted(takenBack.length, 'change')} for it broke what was green, and were taken back`;
}

function isFor({ work }: State, author: Author, verification: Runnable): boolean {
  if (author.kind === 'fix') return lineagesOf(author).includes(verification.lineage);
  return coveredTasks(work, verification).some(({ id }) => id === author.task);
}

/** `1.2 (cli/total)`; a suite has no number. */
function named(verification: Verification): string {
  const numbers = requirementsOf(verification).join(', ');
  return numbers === '' ? verification.id : `${numbers} (${verification.id})`;
}

/** The last doubt about exactly this script, and what QC answered. */
function doubted({ ledger }: State, verification: Runnable): string | undefined {
  const { lineage, script } = verification;
  const doubt = ledger.fixes[lineage]?.findLast(({ answer }) => answer.kind === 'doubt' && answer.script === script);
  if (doubt?.answer.kind !== 'doubt') return undefined;
  const upheld = doubt.upheld === undefined ? '' : `; QC answers that it is right: ${plain(doubt.upheld)}`;
  return `${named(verification)} was said to be wrong: ${plain(doubt.answer.evidence)}${upheld}`;
}

/** As a part of another sentence. */
function plain(words: string): string {
  return oneLine(words).replace(/\.$/, '');
}
