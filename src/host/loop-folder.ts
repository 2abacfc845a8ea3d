/** Opens the folder `.loop` of a sprint and keeps its content out of git. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolders, replaceFile, unlessMissing } from './disk.ts';

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
