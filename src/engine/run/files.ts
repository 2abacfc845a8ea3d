/** Files of the work as text, for what the engine itself looks at or changes in a checkout of its own. */
import { InputError } from '../ground/errors.ts';
import type { Tree } from '../ports.ts';
import type { Settled } from '../work/tree.ts';

/** @returns undefined where there is no file, no text, or one that no tool may touch. */
export async function textOf(tree: Tree, path: string): Promise<string | undefined> {
  try {
    return await tree.read(path);
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

export type Files = Record<string, string>;

/** What these commits touched and is still there, as it is now. */
export async function filesOf(tree: Tree, commits: readonly Settled[]): Promise<Files> {
  const files: Files = {};
  for (const path of new Set(commits.flatMap((c) => c.files.map((f) => f.path)))) {
    const text = await textOf(tree, path);
    if (text !== undefined) files[path] = text;
  }
  return files;
}
