/** Merges a sprint in a scratch checkout, and finds out whether the person's branch can be moved to the result. */
import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listPaths } from '../../engine/ground/text.ts';
import { GitFailed, type Git } from './git.ts';
import { identity } from './identity.ts';
import { commit } from './staging.ts';
import type { Checkout, SprintRepo } from './repo.ts';
import { withScratch } from './scratch.ts';
import { commitOf } from './worktree.ts';

export interface Target {
  branch: string;
  tip: string;
  /** Whether the person's checkout is on it, so that their files must change, too. */
  here: boolean;
}
export interface MergeSpec {
  target: Target;
  /** Last commit of the sprint. */
  tip: string;
  message: string;
  squash: boolean;
}
export type Merged = { commit: string; red: string[] } | { problem: string };

/** Makes the merge as a commit without a ref. @returns it with the verifications that are red on it, or why there is none. */
export async function mergeOnto(repo: SprintRepo, spec: MergeSpec, verify: (checkout: Checkout) => Promise<string[]>): Promise<Merged> {
  const who = await identity(repo.personal);
  return withScratch(repo.scratches, spec.target.tip, async (git) => {
    if (await git.test(['merge-base', '--is-ancestor', spec.tip, 'HEAD'])) return { commit: spec.target.tip, red: [] };
    const problem = await stageMerge(git, spec, who);
    if (problem !== undefined) return { problem };
    const unchanged = spec.squash && (await git.test(['diff', '--cached', '--quiet', '--no-ext-diff', 'HEAD', '--']));
    if (!unchanged) await commit(git, `${spec.message.trim()}\n`, who);
    const merged = (await git.run(['rev-parse', 'HEAD'])).trim();
    return { commit: merged, red: await verify((use) => repo.checkout(merged, use)) };
  });
}

/** Stages the merge. @returns why it cannot be made: conflicts, or a target that shares no commit with the sprint any more. */
async function stageMerge(git: Git, { squash, tip, target }: MergeSpec, who: string[]): Promise<string | undefined> {
  const args = ['merge', '-q', ...(squash ? ['--squash'] : ['--no-ff', '--no-commit']), tip];
  // Git requires an identity even where it makes no commit.
  const failed = await git.run(args, { config: who }).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof GitFailed) return error;
      throw error;
    },
  );
  if (!failed) return undefined;
  const files = await git.list(['diff', '--name-only', '--diff-filter=U', '-z', '--no-ext-diff', '--no-textconv']);
  if (files.length > 0) return `The sprint and "${target.branch}" changed the same lines in ${listPaths(files)}.`;
  return `Git cannot merge the sprint into "${target.branch}" (${failed.words}).`;
}

/** The branch to merge into, or the reason why it cannot be moved now. */
export async function findTarget(repo: SprintRepo, branch: string | null): Promise<Target | { problem: string }> {
  if (branch === null) return { problem: 'The sprint started from a commit that was on no branch, so there is none to merge into.' };
  const tip = await commitOf(repo.personal, `refs/heads/${branch}`);
  if (tip === undefined) return { problem: `The branch "${branch}" that the sprint started from is gone.` };
  const { root, gitDir, gitCommonDir } = repo.options.repository;
  for (const [index, worktree] of (await worktrees(repo)).entries()) {
    // Git lists the main worktree first, and where its git folder is elsewhere, by that folder.
    const ours = gitDir === gitCommonDir ? index === 0 : worktree.path === root;
    if (!ours && worktree.branch === `refs/heads/${branch}`)
      return { problem: `"${branch}" is checked out in another worktree, ${worktree.path}.` };
  }
  if (await isBeingRebased(repo, branch)) return { problem: `"${branch}" is being rebased or bisected: end that first.` };
  const head = (await readFile(join(gitDir, 'HEAD'), 'utf8')).trim();
  const here = head === `ref: refs/heads/${branch}`;
  const operation = here ? await operationInProgress(gitDir) : undefined;
  return operation === undefined ? { branch, tip, here } : { problem: `Your checkout is in the middle of a ${operation}: end it first.` };
}

async function worktrees(repo: SprintRepo): Promise<{ path: string; branch: string }[]> {
  const text = await repo.personal.run(['worktree', 'list', '--porcelain']);
  return text.split('\n\n').map((block) => ({
    path: /^worktree (.*)$/m.exec(block)?.[1] ?? '',
    branch: /^branch (.*)$/m.exec(block)?.[1] ?? '',
  }));
}

async function operationInProgress(gitDir: string): Promise<string | undefined> {
  const marks = {
    MERGE_HEAD: 'merge',
    CHERRY_PICK_HEAD: 'cherry-pick',
    REVERT_HEAD: 'revert',
    'rebase-merge': 'rebase',
    'rebase-apply': 'rebase',
    'index.lock': 'git command (index.lock)',
  };
  for (const [name, what] of Object.entries(marks)) if (await exists(join(gitDir, name))) return what;
  return undefined;
}

/** A rebase detaches HEAD, so only these files name the branch, in any of the repository's worktrees. */
async function isBeingRebased(repo: SprintRepo, branch: string): Promise<boolean> {
  const linked = join(repo.gitCommonDir, 'worktrees');
  const others = (await readdir(linked).catch(() => [])).map((name) => join(linked, name));
  const folders = [repo.gitCommonDir, ...others];
  const marks = ['rebase-merge/head-name', 'rebase-apply/head-name', 'BISECT_START'];
  const names = await Promise.all(folders.flatMap((folder) => marks.map((mark) => readFile(join(folder, mark), 'utf8').catch(() => ''))));
  return names.some((name) => name.trim() === `refs/heads/${branch}` || name.trim() === branch);
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
