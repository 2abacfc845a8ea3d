/**
 * Scratch checkouts. Each has its own git folder with HEAD and index, and shares everything else with the repository through
 * git's `commondir` file. So git works in it with the repository's settings, and it does not show in `git worktree list` or in
 * any ref. New objects are unreachable, and git's own clean-up removes them.
 */
import { randomUUID } from 'node:crypto';
import { lutimes, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git, GitAt } from './git.ts';
import { writeInside } from './inside.ts';
import { removeFolder } from './remove-folder.ts';

export interface Scratches {
  /** Folder of all scratch checkouts; it contains nothing else. */
  folder: string;
  /** Name of each checkout's folder. It is the repository's name, because some tools use the folder's name. */
  name: string;
  gitCommonDir: string;
  excludes: string;
  open(at: GitAt): Git;
}
/** Folders that this process uses now. Any other folder is left from a dead process. */
const live = new Set<string>();

/** Checks `commit` out, gives the checkout to `use`, and always removes it. */
export async function withScratch<T>(spec: Scratches, commit: string, use: (git: Git) => Promise<T>): Promise<T> {
  await removeLeftovers(spec.folder);
  const home = join(spec.folder, randomUUID().slice(0, 8));
  live.add(home);
  try {
    return await use(await checkOut(spec, join(home, spec.name), commit));
  } finally {
    await removeFolder(home);
    live.delete(home);
  }
}

/** Also called when a sprint starts, so that a crash does not fill the disk until the next scratch checkout. */
export async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!live.has(join(folder, name))) await removeFolder(join(folder, name));
  }
}

async function checkOut(spec: Scratches, folder: string, commit: string): Promise<Git> {
  const gitDir = join(folder, '.git');
  await mkdir(gitDir, { recursive: true, mode: 0o700 });
  await writeFile(join(gitDir, 'HEAD'), `${commit}\n`);
  await writeFile(join(gitDir, 'commondir'), `${spec.gitCommonDir}\n`);
  const git = spec.open({ folder, gitDir, excludes: spec.excludes });
  await git.run(['read-tree', '--reset', '-u', 'HEAD']);
  return git;
}

const day = 24 * 60 * 60 * 1000;

/**
 * Makes all files older than any sprint. So work that behaves only as long as its files are new is red there (I8). Git is not used in it
 * afterwards: to git each file looks changed then, until it has read it again.
 */
export async function age(git: Git): Promise<void> {
  const then = new Date(Date.now() - 400 * day);
  const paths = await git.list(['ls-files', '-z']);
  await Promise.all(paths.map((path) => lutimes(join(git.at.folder, path), then, then).catch(() => undefined)));
}

/**
 * Takes the hunks of `commits` (newest first) out of a scratch checkout. Where a later commit conflicts, the text before the
 * reverted commit wins. A file that they created stays with nothing in it, so that a verification fails for the missing
 * behaviour and not for a missing file. Files that they deleted come back.
 */
export async function revertHunks(git: Git, commits: string[]): Promise<void> {
  if (commits.length === 0) return;
  const created = new Set<string>();
  for (const commit of commits) {
    const added = ['diff-tree', '--no-commit-id', '-r', '-z', '--no-renames', '--diff-filter=A', '--name-only', commit];
    for (const path of await git.list(added)) created.add(path);
    await git.run(['revert', '--no-commit', '-X', 'theirs', '-X', 'no-renames', commit], { answers: [1] });
    await settleConflicts(git);
    await git.run(['revert', '--quit']);
  }
  for (const entry of await git.list(['ls-tree', '-r', '-z', '--full-tree', 'HEAD'])) {
    const path = entry.slice(entry.indexOf('\t') + 1);
    if (!created.has(path)) continue;
    await rm(join(git.at.folder, path), { recursive: true, force: true });
    const text = path.endsWith('.go') ? await git.run(['cat-file', 'blob', `HEAD:${path}`]) : '';
    await writeInside(git.at.folder, path, Buffer.from(nothingIn(path, text)), entry.startsWith('100755') ? 0o777 : 0o666);
  }
}

/** The least that does not break what lies beside it: Go builds no package, and Node.js starts nothing, beside a file that does not parse. */
function nothingIn(path: string, text: string): string {
  if (path.endsWith('.json')) return '{}\n';
  return `${/^package [^\n]*/m.exec(text)?.[0] ?? ''}\n`;
}

/** Settles conflicts that a strategy option cannot, such as a file changed here and deleted there: the state before the commit wins. */
async function settleConflicts(git: Git): Promise<void> {
  const unmerged = await git.list(['ls-files', '-u', '-z']);
  const keepByPath = new Map<string, boolean>();
  for (const entry of unmerged) {
    const [meta = '', path = ''] = entry.split('\t', 2);
    keepByPath.set(path, keepByPath.get(path) === true || meta.endsWith(' 3'));
  }
  for (const [path, keep] of keepByPath) {
    const spec = `:(top,literal)${path}`;
    if (keep) {
      await git.run(['checkout', '--theirs', '--', spec]);
      await git.run(['add', '-f', '--', spec]);
    } else await git.run(['rm', '-q', '-f', '--', spec]);
  }
}
