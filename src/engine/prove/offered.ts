/**
 * QC's mutants of the work: where the engine knows no mutant that turns a check red, QC may offer the work made
 * wrong in its own words. What an offer must be, whatever it says of itself: one small change of code that the covering
 * commits wrote. Pure (I3); docs/decisions/0014 has what it proves.
 */
import type { OfferedMutant, Script } from '../work/verification.ts';
import { isSameCode } from './comments.ts';
import { addedLines, isAdded } from './mutants.ts';
import { isNamedTest } from './own-tests.ts';

/** Ever, for one lineage (I4). */
export const offersPerLineage = 3;

type Change = Pick<OfferedMutant, 'path' | 'before' | 'after'>;

/** The file with the mutant in it; undefined where `before` does not occur exactly once. */
export function mutated(text: string, { before, after }: Change): string | undefined {
  return text.split(before).length === 2 ? text.replace(before, () => after) : undefined;
}

/** What keeps a mutant from proving anything, whatever a run says; `text` is the file as it is, `commits` the covering patches. */
export function offerProblem(
  change: Change,
  text: string | undefined,
  { red, commits }: Pick<Script, 'red'> & { commits: readonly string[] },
): string | undefined {
  const { path, before, after } = change;
  if (isNamedTest(path)) return `${path} tests the work; make the work itself wrong`;
  if (text === undefined) return `there is no file ${path}`;
  const now = mutated(text, change);
  if (now === undefined) return `the text before occurs ${text.split(before).length - 1} times in ${path}; it must occur exactly once`;
  if (isSameCode(path, text, now)) return 'it changes nothing but comments and white space';
  if (after.includes(red) && !before.includes(red))
    return `it writes the RED text "${red}" into the work; the verification has to say that itself`;
  const lines = addedLines(commits).get(path);
  const taken = linesTaken(text, now).filter((line) => line.trim() !== '');
  if (taken.length === 0) return 'it only adds lines; change a line that the covered work wrote';
  const foreign = lines ? taken.find((line) => !isAdded(text, lines)(line)) : taken[0];
  if (foreign !== undefined) return `"${foreign.trim()}" in ${path} was not written by the work that the verification covers`;
  return undefined;
}

/** Lines of `text` that are not in `now`, as one block. */
function linesTaken(text: string, now: string): string[] {
  const [old, made] = [text.split('\n'), now.split('\n')];
  const most = Math.min(old.length, made.length);
  let start = 0;
  while (start < most && old[start] === made[start]) start++;
  let end = 0;
  while (end < most - start && old[old.length - 1 - end] === made[made.length - 1 - end]) end++;
  return old.slice(start, old.length - end);
}
