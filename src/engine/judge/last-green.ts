/**
 * When a verification was last green, and which changes since then may have turned it red (spec/1 §6.2, spec/2 change 8).
 * Both follow from its runs and the commits; nothing is stored twice. Pure (I3).
 */
import type { State } from '../state/state.ts';
import type { Verification } from '../work/verification.ts';
import { authorWords, type Settled } from '../work/tree.ts';
import { runsOf } from './trust.ts';

/** The newest code number at which this very script was green; undefined where it never was. */
export function lastGreen(state: State, verification: Verification): number | undefined {
  return (
    runsOf(state, verification).findLast((run) => run.where !== 'revert' && run.verdict === 'green' && run.code !== null)?.code ?? undefined
  );
}

/**
 * The changes after its last green one, up to the first code on which it was red again: one of them broke it. None where it
 * was never green, or is not red since.
 */
export function brokenBy(state: State, verification: Verification): Settled[] {
  const green = lastGreen(state, verification);
  if (green === undefined) return [];
  const red = runsOf(state, verification).find((run) => run.where !== 'revert' && run.verdict === 'red' && (run.code ?? 0) > green)?.code;
  return red === undefined || red === null ? [] : state.work.tree.commits.filter(({ code }) => code > green && code <= red);
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
