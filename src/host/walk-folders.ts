/** Walks the folders of a repository in which a person may keep a sprint. */
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** A repository with more folders is not looked through to its end. */
const mostFolders = 20_000;
/** Large, and of tools: nobody keeps a sprint there. */
const skipped = new Set(['.git', '.loop', 'node_modules']);

/**
 * Shows `see` each folder with what lies in it, upper ones first. One that cannot be read counts as empty.
 * @returns false where the repository has too many folders.
 */
export async function walkFolders(root: string, see: (dir: string, entries: readonly Dirent[]) => void): Promise<boolean> {
  const waiting = [root];
  let seen = 0;
  for (let dir = waiting.shift(); dir !== undefined && seen < mostFolders; dir = waiting.shift()) {
    seen += 1;
    const entries = await readdir(dir, { withFileTypes: true }).catch(() => []);
    see(dir, entries);
    const folders = entries.filter((entry) => entry.isDirectory() && !skipped.has(entry.name));
    waiting.push(...folders.map(({ name }) => join(dir ?? root, name)));
  }
  return waiting.length === 0;
}
