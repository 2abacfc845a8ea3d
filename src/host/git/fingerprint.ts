/** A hash of a checkout's files, to find out whether anything was written into it. */
import { createHash } from 'node:crypto';
import { lstat, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from './git.ts';

/** Covers tracked files and untracked ones that are not ignored. Ignored files count as caches. */
export async function fingerprint(git: Git): Promise<string> {
  const hash = createHash('sha256');
  hash.update(await git.run(['diff', '--no-ext-diff', '--no-textconv', '--binary', 'HEAD']));
  for (const path of await git.list(['ls-files', '-z', '-o', '--exclude-standard'])) {
    hash.update(`\0${path}\0`);
    hash.update(await contentOf(join(git.at.folder, path)));
  }
  return hash.digest('hex');
}

async function contentOf(path: string): Promise<Buffer | string> {
  const stat = await lstat(path);
  if (stat.isSymbolicLink()) return readlink(path);
  return stat.isFile() ? readFile(path) : '';
}
