/** New files whose name says that they hold a key or a password: no commit of Loop has them, whoever made them. */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError } from '../../engine/ground/errors.ts';
import type { Git } from './git.ts';
import { removeInside } from './inside.ts';
import { isAmong } from './own-documents.ts';
import { looksSecret } from '../../engine/ground/secret-names.ts';

/**
 * Removes them from the worktree too, so that verifications see what the commit will hold. Ignored files stay, and so does one
 * that only moved: the person committed what it holds.
 * @param supplied paths that the person supplied; these stay.
 * @returns those that were removed.
 */
export async function leaveOutSecrets(git: Git, supplied: readonly string[]): Promise<string[]> {
  const [untracked, staged] = await Promise.all([
    git.list(['ls-files', '-z', '-o', '--exclude-standard']),
    git.list(['diff', '--cached', '--name-only', '--diff-filter=A', '-z', '--no-renames', '--no-ext-diff', '--no-textconv', 'HEAD', '--']),
  ]);
  const secret = [...new Set([...untracked, ...staged])].filter((path) => looksSecret(path) && !isAmong(path, supplied)).sort();
  const moved = await movedAmong(git, secret);
  const found = secret.filter((path) => !moved.includes(path));
  for (const path of found) await removeInside(git.at.folder, path);
  const input = found.map((path) => `:(top,literal)${path}`).join('\0');
  if (found.length > 0)
    await git.run(['rm', '-q', '-f', '--cached', '--ignore-unmatch', '--pathspec-from-file=-', '--pathspec-file-nul'], { input });
  return found;
}

/** Those whose content the last commit holds, under another name that looks secret. */
async function movedAmong(git: Git, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return [];
  const committed = await git.list(['ls-tree', '-r', '-z', 'HEAD']);
  // One line: mode, type and object with blanks between them, a tab, the path.
  const secret = committed.filter((line) => looksSecret(line.slice(line.indexOf('\t') + 1)));
  const contents = new Set(secret.map((line) => line.slice(0, line.indexOf('\t')).split(' ')[2]));
  const moved: string[] = [];
  for (const path of paths) {
    const isFile = (await lstat(join(git.at.folder, path))).isFile();
    if (isFile && contents.has((await git.run(['hash-object', '--', path])).trim())) moved.push(path);
  }
  return moved;
}

/** @throws InputError for a new file that would be left out. The person's own, which they committed, may be edited. */
export async function refuseSecretFile(git: Git, path: string): Promise<void> {
  if (!looksSecret(path)) return;
  const tracked = await git.list(['ls-files', '-z', '--', `:(top,literal)${path}`]);
  if (tracked.length > 0 || (await git.test(['check-ignore', '-q', '--', path]))) return;
  throw new InputError(
    `The name of "${path}" says that it holds a key or a password. Loop never commits such a file.`,
    'Read the value from a variable, write a ".example" of the file, or make what tests need while they run.',
  );
}
