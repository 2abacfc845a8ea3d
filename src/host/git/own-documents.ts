/**
 * Paths of the worktree that are nobody's to change: what the sprint was opened with, what it is judged by or compared with, and
 * where git fetches from. The sandbox shows them read-only and the tools refuse to write them; what changed in spite of that is put
 * back before anything is committed.
 */
import { lstat, realpath } from 'node:fs/promises';
import { isAbsolute, join, posix, relative, sep } from 'node:path';
import type { Git } from './git.ts';
import { removeInside } from './inside.ts';
import { changesIn } from './staging.ts';

/** Names in the sprint's folder. The last three are written by the engine alone. */
const always = ['VISION.md', 'PRD.md', 'loop.config.yaml', 'DELIVERY_REPORT.md', 'verifications', '.loop'];

/** At the root. It says from which host git-lfs fetches files, and it does so outside of every sandbox. */
export const lfsConfig = '.lfsconfig';

/**
 * @param sprint its folder, relative to the root, with `/`.
 * @param inputs names of the documents that it was opened with.
 * @returns paths relative to the root. Where a document of the checkout is a link, also what it leads to.
 */
export async function documentsOf(root: string, sprint: string, inputs: readonly string[]): Promise<string[]> {
  const paths = [...[...new Set([...always, ...inputs])].map((name) => posix.join(sprint, name)), lfsConfig];
  const real = await Promise.all(paths.map((path) => realpath(join(root, path)).catch(() => root)));
  const inside = real.map((path) => relative(root, path)).filter((path) => path !== '' && !isAbsolute(path) && !path.startsWith('..'));
  return [...new Set([...paths, ...inside.map((path) => path.split(sep).join('/'))])];
}

/** Folders above these paths, without the root, each before what lies in it. */
export function foldersAbove(paths: readonly string[]): string[] {
  const all = paths.flatMap((path) => {
    const names = path.split('/');
    return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'));
  });
  return [...new Set(all)].sort();
}

/**
 * Puts the paths back to what they are in the last commit, whatever was made of them or of the folders above.
 * @param supplied paths that the person supplied; these stay.
 * @returns those that were changed.
 */
export async function putBack(git: Git, paths: readonly string[], supplied: readonly string[] = []): Promise<string[]> {
  if (paths.length === 0) return [];
  const root = git.at.folder;
  const replaced = await removeReplacedFolders(root, paths);
  const specs = ['--', ...paths.map((path) => `:(top,literal)${path}`)];
  const [changed, untracked] = await Promise.all([
    git.list(['diff', '--name-status', '-z', '--no-renames', '--no-ext-diff', '--no-textconv', 'HEAD', ...specs]),
    git.list(['ls-files', '-z', '-o', ...specs]),
  ]);
  const foreign = untracked.map((path) => path.replace(/\/$/, '')).filter((path) => !isAmong(path, supplied));
  const changes = changesIn(changed).filter(({ path }) => !isAmong(path, supplied));
  for (const path of foreign) await removeInside(root, path);
  for (const { path, kind } of changes) if (kind !== 'deleted') await removeInside(root, path);
  const added = changes.filter(({ kind }) => kind === 'added').map(({ path }) => path);
  const lost = changes.filter(({ kind }) => kind !== 'added').map(({ path }) => path);
  if (added.length > 0) await git.run(['rm', '-q', '-r', '-f', '--cached', '--ignore-unmatch', ...fromInput], asInput(added));
  if (lost.length > 0) await git.run(['checkout', '-q', 'HEAD', ...fromInput], asInput(lost));
  return [...new Set([...replaced, ...foreign, ...changes.map(({ path }) => path)])].sort();
}

const fromInput = ['--pathspec-from-file=-', '--pathspec-file-nul'];

function asInput(paths: readonly string[]): { input: string } {
  return { input: paths.map((path) => `:(top,literal)${path}`).join('\0') };
}

/** A link or a file in the place of a folder above would lead git and the sprint's own writes elsewhere. */
async function removeReplacedFolders(root: string, paths: readonly string[]): Promise<string[]> {
  const removed: string[] = [];
  for (const folder of foldersAbove(paths)) {
    const stat = await lstat(join(root, folder)).catch(() => undefined);
    if (!stat || stat.isDirectory()) continue;
    await removeInside(root, folder);
    removed.push(folder);
  }
  return removed;
}

/** Whether a path is one of these, or lies below one. */
export function isAmong(path: string, others: readonly string[]): boolean {
  return others.some((other) => path === other || path.startsWith(`${other}/`));
}
