/**
 * The sprint's worktree (I10): a linked worktree on the sprint's branch, in the user's state folder, locked so that the
 * person's `git worktree prune` leaves it. Whatever a crash left of branch, entry and folder is found and completed;
 * nobody else's entry is ever touched, so `git worktree prune` is never called.
 */
import { access, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { InputError } from '../../engine/ground/errors.ts';
import { type Git, openGit } from './git.ts';
import { removeFolder } from './remove-folder.ts';

export interface WorktreeSpec {
  /** Folder of the worktree. */
  path: string;
  gitCommonDir: string;
  branch: string;
  /** Commit that the branch starts from. */
  base: string;
}
const lockReason = 'A Loop sprint works here; "Loop: Finish Sprint" removes it.\n';

/** Makes or completes branch, entry and folder. @returns the worktree's own git folder. @throws InputError. */
export async function ensureWorktree(git: Git, spec: WorktreeSpec): Promise<string> {
  const ref = `refs/heads/${spec.branch}`;
  await rm(join(spec.gitCommonDir, `${ref}.lock`), { force: true });
  let entry = await entryOf(spec);
  let tip = await commitOf(git, ref);
  if (tip === undefined && entry !== undefined) tip = await restoreBranch(git, spec, entry);
  if (tip !== undefined) await refuseForeignBranch(git, spec, tip);
  if (entry !== undefined && !(await isWhole(entry, spec))) {
    await rm(entry, { recursive: true, force: true });
    entry = undefined;
  }
  if (entry === undefined) await addWorktree(git, spec, tip);
  entry = await entryOf(spec);
  if (entry === undefined) throw new InputError(`Git made no worktree at ${spec.path}.`, 'Look at "git worktree list".');
  await complete(git, entry, spec);
  return entry;
}

/** Both sides are there; an interrupted `git worktree add` leaves an entry without all its files. */
async function isWhole(entry: string, spec: WorktreeSpec): Promise<boolean> {
  const parts = [spec.path, join(entry, 'HEAD'), join(entry, 'commondir')];
  return (await Promise.all(parts.map(exists))).every(Boolean);
}

/** Takes the worktree away, its branch stays. Fine if there is none. */
export async function removeWorktree(spec: WorktreeSpec): Promise<void> {
  const entry = await entryOf(spec);
  await removeFolder(spec.path);
  if (entry !== undefined) await rm(entry, { recursive: true, force: true });
}

/** The git folder of the worktree at `spec.path`, as the repository (not the worktree) tells it. */
export async function entryOf(spec: Pick<WorktreeSpec, 'path' | 'gitCommonDir'>): Promise<string | undefined> {
  const all = join(spec.gitCommonDir, 'worktrees');
  for (const name of await readdir(all).catch(() => [])) {
    const points = await readFile(join(all, name, 'gitdir'), 'utf8').catch(() => '');
    if (points.trim() === join(spec.path, '.git')) return join(all, name);
  }
  return undefined;
}

/** The commit a name stands for. */
export async function commitOf(git: Git, name: string): Promise<string | undefined> {
  const commit = (await git.run(['rev-parse', '-q', '--verify', `${name}^{commit}`], { answers: [1, 128] })).trim();
  return commit === '' ? undefined : commit;
}

async function addWorktree(git: Git, spec: WorktreeSpec, tip: string | undefined): Promise<void> {
  await removeFolder(spec.path);
  await mkdir(dirname(spec.path), { recursive: true, mode: 0o700 });
  const what = tip === undefined ? ['--no-track', '-b', spec.branch, spec.path, spec.base] : [spec.path, spec.branch];
  await git.run(['worktree', 'add', '-q', '--lock', ...what]);
}

/** A branch of this name that does not grow from the sprint's base is somebody else's. */
async function refuseForeignBranch(git: Git, spec: WorktreeSpec, tip: string): Promise<void> {
  if (await git.test(['merge-base', '--is-ancestor', spec.base, tip])) return;
  throw new InputError(
    `The branch "${spec.branch}" exists and does not start from this sprint's base ${spec.base.slice(0, 10)}.`,
    `Rename it (git branch -m "${spec.branch}" <other>) or put it back to where the sprint left it.`,
  );
}

/** Somebody deleted the branch under the worktree: its last commit is still in the worktree's own log. */
async function restoreBranch(git: Git, spec: WorktreeSpec, entry: string): Promise<string> {
  const log = await readFile(join(entry, 'logs', 'HEAD'), 'utf8').catch(() => '');
  const last = /^\S+ ([0-9a-f]{40,64}) /.exec(log.trimEnd().split('\n').at(-1) ?? '')?.[1];
  const tip = (last === undefined ? undefined : await commitOf(git, last)) ?? spec.base;
  await git.run(['update-ref', `refs/heads/${spec.branch}`, tip, '']);
  return tip;
}

/** Lock, pointer file, branch and first checkout; and no lock of a git that died. The sprint has one owner. */
async function complete(git: Git, entry: string, spec: WorktreeSpec): Promise<void> {
  await Promise.all(['index.lock', 'HEAD.lock'].map((name) => rm(join(entry, name), { force: true })));
  await writeFile(join(entry, 'locked'), lockReason);
  await rewrite(join(spec.path, '.git'), `gitdir: ${entry}\n`);
  const head = await readFile(join(entry, 'HEAD'), 'utf8');
  if (head.trim() !== `ref: refs/heads/${spec.branch}`)
    throw new InputError(
      `The sprint's worktree ${spec.path} is not on its branch "${spec.branch}".`,
      `Put it back: git -C "${spec.path}" switch "${spec.branch}"`,
    );
  // Git writes the index last: without one, the first checkout did not end.
  if (!(await exists(join(entry, 'index')))) await openGit({ ...git.at, folder: spec.path, gitDir: entry }).run(['reset', '-q', '--hard']);
}

/** Whatever stands at `path` instead (a link, a folder) goes. */
async function rewrite(path: string, text: string): Promise<void> {
  const now = await readFile(path, 'utf8').catch(() => undefined);
  if (now === text) return;
  await removeFolder(path);
  await writeFile(path, text, { flag: 'wx' });
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
