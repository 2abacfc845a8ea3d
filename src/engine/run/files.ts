/** Reads files of the work as text, for what the engine itself inspects, or changes in a scratch checkout. */
import { InputError } from '../ground/errors.ts';
import type { Tree } from '../ports.ts';
import type { Settled } from '../work/tree.ts';

/** @returns undefined when the file is missing, is not text, or is one that no tool may touch. */
export async function textOf(tree: Tree, path: string): Promise<string | undefined> {
  try {
    return await tree.read(path);
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

export type Files = Record<string, string>;

/** The files that these commits touched and that still exist, with their present text. */
export async function filesOf(tree: Tree, commits: readonly Settled[]): Promise<Files> {
  const files: Files = {};
  for (const path of pathsOf(commits)) {
    const text = await textOf(tree, path);
    if (text !== undefined) files[path] = text;
  }
  return files;
}

/** The same, of files that were read before. @param all those of at least these commits. */
export function filesIn(all: Readonly<Files>, commits: readonly Settled[]): Files {
  // In the order of these commits: by it faults are chosen.
  const paths = [...pathsOf(commits)].filter((path) => Object.hasOwn(all, path));
  return Object.fromEntries(paths.map((path) => [path, all[path] ?? '']));
}

function pathsOf(commits: readonly Settled[]): Set<string> {
  return new Set(commits.flatMap(({ files }) => files.map(({ path }) => path)));
}

/** Files that are read at most. */
const namedLimit = 300;

/** The files with these names in any folder, ignored files left out. `*` stands for any text. */
export async function namedFiles(tree: Tree, names: readonly string[]): Promise<{ path: string; text: string }[]> {
  const paths = await tree.glob(`**/{${names.join(',')}}`, '');
  const texts = await Promise.all(paths.slice(0, namedLimit).map(async (path) => ({ path, text: await textOf(tree, path) })));
  return texts.flatMap(({ path, text }) => (text === undefined ? [] : [{ path, text }]));
}
