/** Opens the folder `.loop` of a sprint and keeps its content out of git. */
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isTemporary, makeFolders, replaceFile, unlessMissing } from './disk.ts';

const ignoreAll = '*\n';

/**
 * Creates `<sprint>/.loop` unless it exists, and returns its path.
 * @throws InputError when `.loop` is a link or a file; Interruption when it cannot be written.
 */
export async function openLoopFolder(sprint: string): Promise<string> {
  const folder = await makeFolders(sprint, ['.loop'], { durable: true });
  const ignore = join(folder, '.gitignore');
  const text = await unlessMissing(readFile(ignore, 'utf8'));
  if (text !== ignoreAll) await replaceFile(ignore, Buffer.from(ignoreAll), { durable: false });
  return folder;
}

/** What a person can do about a damaged record. The `.loop` of a repository may hold those of many sessions. */
export const restoreOrGiveUp =
  'Restore that file from a backup; or, to give this run up, move the innermost ".loop" of that path away and start again.';

/** What lies here and is another run's, which may be at work. */
export const foreignNames = ['archive', 'pipelines'];

/** Removes the files that a killed process was still writing. Only for who holds the lock of `.loop`: others may be at work in it. */
export async function removeTemporaries(loopFolder: string): Promise<void> {
  const entries = await readdir(loopFolder, { withFileTypes: true });
  await Promise.all(
    entries.map(async (entry) => {
      const path = join(loopFolder, entry.name);
      if (entry.isFile() && isTemporary(entry.name)) await rm(path, { force: true });
      else if (entry.isDirectory() && !foreignNames.includes(entry.name)) await removeTemporaries(path);
    }),
  );
}
