/** Finds the folders of a repository in which sprints or pipelines ran: those with a `.loop` of their own. */
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sessionFolder, sessionsIn } from '../pipelines/run-pipeline.ts';
import { walkFolders } from '../walk-folders.ts';

export interface LoopFolders {
  /** With their journal in `.loop`, those of pipelines' sessions too. */
  dirs: string[];
  /** False where the repository has too many folders. */
  complete: boolean;
}

export async function findLoopFolders(root: string): Promise<LoopFolders> {
  const dirs: string[] = [];
  const complete = await walkFolders(root, (dir, entries) => {
    if (entries.some((entry) => entry.name === '.loop' && entry.isDirectory())) dirs.push(dir);
  });
  const sessions = (await sessionsIn(root)).map((session) => sessionFolder(root, session));
  return { dirs: [...dirs, ...sessions], complete };
}

/** Bytes that a folder takes on the disk; links are not followed. */
export async function sizeOf(path: string): Promise<number> {
  const stat = await lstat(path).catch(() => undefined);
  if (!stat) return 0;
  // Windows tells no blocks.
  const own = stat.blocks === undefined ? stat.size : stat.blocks * 512;
  if (!stat.isDirectory()) return own;
  let sum = own;
  for (const name of await readdir(path).catch(() => [])) sum += await sizeOf(join(path, name));
  return sum;
}

/** The real folders in a folder, without links. */
export async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.flatMap((entry) => (entry.isDirectory() ? [join(folder, entry.name)] : [])).sort();
}
