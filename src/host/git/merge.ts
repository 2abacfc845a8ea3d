/** Merges a sprint in a scratch checkout, and finds out whether the person's branch can be moved to the result. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { listPaths } from '../../engine/ground/text.ts';
import { GitFailed, type Git } from './git.ts';
import { heldElsewhere, refOf } from './held-branch.ts';
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
  const { root, gitDir } = repo.options.repository;
  const ref = await refOf(repo.personal, `refs/heads/${branch}`);
  const problem = await heldElsewhere(repo, ref, root);
  if (problem !== undefined) return { problem };
  const here = (await refOf(repo.personal, 'HEAD')) === ref;
  const operation = here ? operationInProgress(gitDir) : undefined;
  return operation === undefined ? { branch, tip, here } : { problem: `Your checkout is in the middle of a ${operation}: end it first.` };
}

function operationInProgress(gitDir: string): string | undefined {
  const marks = {
    MERGE_HEAD: 'merge',
    CHERRY_PICK_HEAD: 'cherry-pick',
    REVERT_HEAD: 'revert',
    'rebase-merge': 'rebase',
    'rebase-apply': 'rebase',
    'index.lock': 'git command (index.lock)',
  };
  for (const [name, what] of Object.entries(marks)) if (existsSync(join(gitDir, name))) return what;
  return undefined;
}
