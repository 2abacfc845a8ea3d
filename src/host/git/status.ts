/**
 * What differs in a work tree, from one call of git: enough to see that nothing is to be done, or nothing of a kind. Each further
 * call costs more than all else that the engine does at the end of a session.
 */
import { isAmong } from './own-documents.ts';
import type { Git } from './git.ts';

export interface Status {
  /** Paths that differ from the last commit in index or work tree, ignored ones left out; a nested repository ends with `/`. */
  changed: string[];
  /** Those of them that the last commit does not have. */
  added: string[];
  ignored: string[];
  /** Untracked paths, also those that do not count. */
  untracked: string[];
  /** Whether the index holds all of `changed` as it is in the work tree. */
  isStaged: boolean;
}

/** @param supplied untracked paths that do not count. */
export async function statusOf(git: Git, supplied: readonly string[]): Promise<Status> {
  const listed = await git.list(['status', '--porcelain', '-z', '--untracked-files=all', '--ignored=matching', '--no-renames']);
  const entries = listed.map((entry) => ({ index: entry.charAt(0), tree: entry.charAt(1), path: entry.slice(3) }));
  const counted = entries.filter(({ index, path }) => index !== '!' && !(index === '?' && isAmong(path, supplied)));
  return {
    changed: counted.map(({ path }) => path),
    added: counted.filter(({ index }) => '?A'.includes(index)).map(({ path }) => path),
    ignored: entries.filter(({ index }) => index === '!').map(({ path }) => path),
    untracked: entries.filter(({ index }) => index === '?').map(({ path }) => path),
    isStaged: counted.every(({ tree }) => tree === ' '),
  };
}

/** Whether anything may have been made of these paths, or of the folders above them. */
export function touches({ changed, ignored }: Status, paths: readonly string[]): boolean {
  const differing = [...changed, ...ignored].map((path) => path.replace(/\/$/, ''));
  return differing.some((one) => paths.some((path) => isAmong(path, [one]) || isAmong(one, [path])));
}
