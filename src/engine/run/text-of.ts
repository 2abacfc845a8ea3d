/** Files of the work as text, for what the engine itself looks at or changes in a checkout of its own. */
import { InputError } from '../ground/errors.ts';
import type { Tree } from '../ports.ts';

/** @returns undefined where there is no file, no text, or one that no tool may touch. */
export async function textOf(tree: Tree, path: string): Promise<string | undefined> {
  try {
    return await tree.read(path);
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}
