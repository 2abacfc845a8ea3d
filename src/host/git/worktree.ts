/**
 * The sprint's worktree (I10): a linked worktree on the sprint's branch, in the user's state folder. It is locked, so that the
 * person's `git worktree prune` keeps it. What a crash left of branch, entry and folder is completed. Other entries are never
 * touched, so Loop never calls `git worktree prune`.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { InputError } from '../../engine/ground/errors.ts';
import { type Git, openGit } from './git.ts';
import { removeFolder } from './remove-folder.ts';
import { requireRoomForBranches } from './room-for-branches.ts';

export interface WorktreeSpec {
  /** Folder of the worktree. */
  path: string;
  gitCommonDir: string;
  branch: string;
  /** Commit that the branch starts from. */
  base: string;
}
const lockReason = 'A Loop sprint works here; "Loop: Finish Sprint" removes it.\n';

/** Creates or completes branch, entry and folder. @returns the worktree's git folder. @throws InputError for a foreign branch. */
export async function ensureWorktree(git: Git, spec: WorktreeSpec): Promise<string> {
  const ref = `refs/heads/${spec.branch}`;
  const lock = join(spec.gitCommonDir, `${ref}.lock`);
  if (existsSync(lock)) await rm(lock, { force: true });
  let entry = await settledEntry(spec);
  let tip = await commitOf(git, ref);
  if (tip === undefined && entry !== undefined) tip = await restoreBranch(git, spec, entry);
  if (tip !== undefined) await refuseForeignBranch(git, spec, tip);
  if (entry !== undefined && !(await isComplete(entry, spec))) {
    await rm(entry, { recursive: true, force: true });
    entry = undefined;
  }
  if (entry === undefined) await addWorktree(git, spec, tip);
  entry = await entryOf(spec);
  if (entry === undefined) throw new InputError(`Git made no worktree at ${spec.path}.`, 'Run "git worktree list" to see which there are.');
  await repair(git, entry, spec);
  return entry;
}

/** Milliseconds that a git gets which outlived its process and still makes the worktree: two at once would undo each other's. */
const patience = 2000;

/** Git writes the index last. */
async function settledEntry(spec: WorktreeSpec): Promise<string | undefined> {
  const entry = await entryOf(spec);
  if (entry === undefined) return undefined;
  for (const end = performance.now() + patience; !existsSync(join(entry, 'index')) && performance.now() < end;) await delay(50);
  return entryOf(spec);
}

/** An interrupted `git worktree add` leaves an entry without all its files, or one that was never on a branch. */
async function isComplete(entry: string, spec: WorktreeSpec): Promise<boolean> {
  const parts = [spec.path, join(entry, 'HEAD'), join(entry, 'commondir')];
  if (!parts.every((part) => existsSync(part))) return false;
  return existsSync(join(entry, 'index')) || (await readFile(join(entry, 'HEAD'), 'utf8')).startsWith('ref:');
}

/** Removes the worktree, if there is one, and keeps its branch. */
export async function removeWorktree(spec: WorktreeSpec): Promise<void> {
  const entry = await entryOf(spec);
  await removeFolder(spec.path);
  if (entry !== undefined) await rm(entry, { recursive: true, force: true });
}

/**
 * The git folder of the worktree at `spec.path`. The repository names it, because an agent may write in the worktree. Newer versions of
 * git may write the path from there to the worktree.
 */
export async function entryOf(spec: Pick<WorktreeSpec, 'path' | 'gitCommonDir'>): Promise<string | undefined> {
  const all = join(spec.gitCommonDir, 'worktrees');
  for (const name of await readdir(all).catch(() => [])) {
    const points = await readFile(join(all, name, 'gitdir'), 'utf8').catch(() => '');
    if (resolve(all, name, points.trim()) === join(spec.path, '.git')) return join(all, name);
  }
  return undefined;
}

/** The commit that a name stands for; undefined for an unknown name. */
export async function commitOf(git: Git, name: string): Promise<string | undefined> {
  const commit = (await git.run(['rev-parse', '-q', '--verify', `${name}^{commit}`], { answers: [1, 128] })).trim();
  return commit === '' ? undefined : commit;
}

async function addWorktree(git: Git, spec: WorktreeSpec, tip: string | undefined): Promise<void> {
  if (tip === undefined) await requireRoomForBranches(git);
  await removeFolder(spec.path);
  await mkdir(dirname(spec.path), { recursive: true, mode: 0o700 });
  const what = tip === undefined ? ['--no-track', '-b', spec.branch, spec.path, spec.base] : [spec.path, spec.branch];
  await git.run(['worktree', 'add', '-q', '--lock', ...what]);
}

/** A branch with this name that does not contain the sprint's base is not Loop's. */
async function refuseForeignBranch(git: Git, spec: WorktreeSpec, tip: string): Promise<void> {
  if (await git.test(['merge-base', '--is-ancestor', spec.base, tip])) return;
  throw new InputError(
    `The branch "${spec.branch}" exists and does not start from this sprint's base ${spec.base.slice(0, 10)}.`,
    `Rename it (git branch -m "${spec.branch}" <other>) or put it back to where the sprint left it.`,
  );
}

/** Restores a branch that somebody deleted: its last commit is still in the worktree's log. */
async function restoreBranch(git: Git, spec: WorktreeSpec, entry: string): Promise<string> {
  const log = await readFile(join(entry, 'logs', 'HEAD'), 'utf8').catch(() => '');
  const last = /^\S+ ([0-9a-f]{40,64}) /.exec(log.trimEnd().split('\n').at(-1) ?? '')?.[1];
  const tip = (last === undefined ? undefined : await commitOf(git, last)) ?? spec.base;
  await git.run(['update-ref', `refs/heads/${spec.branch}`, tip, '']);
  return tip;
}

/** Repairs lock, pointer file and first checkout. Removes lock files of a dead git, which is safe as the sprint has one owner. */
async function repair(git: Git, entry: string, spec: WorktreeSpec): Promise<void> {
  await Promise.all(['index.lock', 'HEAD.lock'].map((name) => rm(join(entry, name), { force: true })));
  await writeFile(join(entry, 'locked'), lockReason);
  await writePointer(join(spec.path, '.git'), `gitdir: ${entry}\n`);
  const head = await readFile(join(entry, 'HEAD'), 'utf8');
  if (head.trim() !== `ref: refs/heads/${spec.branch}`)
    throw new InputError(
      `The sprint's worktree ${spec.path} is not on its branch "${spec.branch}".`,
      `Put it back: git -C "${spec.path}" switch "${spec.branch}"`,
    );
  // Git writes the index last, so without one the first checkout is not complete.
  const own = openGit({ ...git.at, folder: spec.path, gitDir: entry });
  if (!existsSync(join(entry, 'index'))) await own.run(['reset', '-q', '--hard']);
  await widen(own, entry);
}

/** Git copies the person's sparse checkout. A sprint works on the whole tree, as its scratch checkouts do, or nothing new is staged elsewhere. */
async function widen(git: Git, entry: string): Promise<void> {
  const patterns = join(entry, 'info', 'sparse-checkout');
  if (!existsSync(patterns)) return;
  await writeFile(patterns, '/*\n');
  await git.run(['sparse-checkout', 'reapply'], { config: ['core.sparseCheckout=true'] });
}

/** Replaces whatever is at `path`, also a link or a folder. */
async function writePointer(path: string, text: string): Promise<void> {
  const now = await readFile(path, 'utf8').catch(() => undefined);
  if (now === text) return;
  await removeFolder(path);
  await writeFile(path, text, { flag: 'wx' });
}
