/**
 * Mutants that QC offers if no mutant of the engine turns a verification red (docs/decisions/0014). An offer must be one small
 * change of code that the covering commits wrote.
 */
import type { OfferedMutant, Script } from '../work/verification.ts';
import { addedLines, isAdded } from './added-lines.ts';
import { isNamedTest } from './own-tests.ts';

/** Most offers for one lineage, ever (I4). */
export const offersPerLineage = 3;

type Change = Pick<OfferedMutant, 'path' | 'before' | 'after'>;

/** The file with the mutant in it; undefined unless `before` occurs exactly once. */
export function mutated(text: string, { before, after }: Change): string | undefined {
  return text.split(before).length === 2 ? text.replace(before, () => after) : undefined;
}

/**
 * Why a run on this mutant could prove nothing; undefined if it could.
 * @param text the current file; undefined if it does not exist.
 * @param about the script's `RED` text, the patches of the covering commits, and whether the change leaves the code the same.
 */
export function offerProblem(
  change: Change,
  text: string | undefined,
  about: Pick<Script, 'red'> & { commits: readonly string[]; same: boolean },
): string | undefined {
  const { red, commits, same } = about;
  const { path, before, after } = change;
  if (isNamedTest(path)) return `${path} tests the work; make the work itself wrong`;
  if (text === undefined) return `there is no file ${path}`;
  const now = mutated(text, change);
  if (now === undefined) return `the text before occurs ${text.split(before).length - 1} times in ${path}; it must occur exactly once`;
  if (same) return 'it changes nothing but comments and white space';
  if (after.includes(red) && !before.includes(red))
    return `it writes the RED text "${red}" into the work; the verification has to say that itself`;
  const lines = addedLines(commits).get(path);
  const replaced = linesReplaced(text, now).filter((line) => line.trim() !== '');
  if (replaced.length === 0) return 'it only adds lines; change a line that the covered work wrote';
  const foreign = lines ? replaced.find((line) => !isAdded(text, lines)(line)) : replaced[0];
  if (foreign !== undefined) return `"${foreign.trim()}" in ${path} was not written by the work that the verification covers`;
  return undefined;
}

/** The block of lines of `text` that differs in `now`. */
function linesReplaced(text: string, now: string): string[] {
  const [old, changed] = [text.split('\n'), now.split('\n')];
  const shorter = Math.min(old.length, changed.length);
  let start = 0;
  while (start < shorter && old[start] === changed[start]) start++;
  let end = 0;
  while (end < shorter - start && old[old.length - 1 - end] === changed[changed.length - 1 - end]) end++;
  return old.slice(start, old.length - end);
}
