/**
 * When a verification was last green, and which later changes may have turned it red. Both are derived from runs and commits,
 * so nothing is stored twice.
 */
import type { State } from '../state/state.ts';
import { resultOf, type Result, type Verification } from '../work/verification.ts';
import { authorWords, type Settled } from '../work/tree.ts';
import { runsOf } from './trust.ts';

/** The latest code number at which exactly this script was green; undefined if it never was. */
export function lastGreen(state: State, verification: Verification): number | undefined {
  return resultsOf(state, verification).findLast(({ verdict }) => verdict === 'green')?.code;
}

/**
 * Changes after its last green code, up to the first red one: one of them broke it. None if it was never green, or is not red
 * since.
 */
export function brokenBy(state: State, verification: Verification): Settled[] {
  const green = lastGreen(state, verification);
  if (green === undefined) return [];
  const red = resultsOf(state, verification).find(({ verdict, code }) => verdict === 'red' && code > green)?.code;
  return red === undefined ? [] : state.work.tree.commits.filter(({ code }) => code > green && code <= red);
}

/** `last green after change 2 (commit 1234567890), broken by task T3`. */
export function lastGreenWords(state: State, verification: Verification): string {
  const green = lastGreen(state, verification);
  if (green === undefined) return 'never green';
  const { work, opened } = state;
  const commit = green === 0 ? opened.base.commit : work.tree.commits.find(({ code }) => code === green)?.commit;
  const by = brokenBy(state, verification).map(({ author }) => authorWords(author));
  const broken = by.length > 1 ? `, broken by one of: ${by.join(', ')}` : by.length === 1 ? `, broken by ${by.join()}` : '';
  return `last green ${green === 0 ? 'before any change' : `after change ${green}`}${commit ? ` (commit ${commit.slice(0, 10)})` : ''}${broken}`;
}

function resultsOf(state: State, verification: Verification): Result[] {
  return runsOf(state, verification).flatMap((run) => resultOf(run) ?? []);
}
