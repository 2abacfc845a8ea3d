/** Whether anything was written into a checkout: a text that is the same for the same files, as far as git sees them. */
import { createHash } from 'node:crypto';
import { lstat, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from './git.ts';

/** Of tracked files and of untracked ones that no rule ignores; what is ignored is a cache. */
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
  const found = await lstat(path);
  if (found.isSymbolicLink()) return readlink(path);
  return found.isFile() ? readFile(path) : '';
}
