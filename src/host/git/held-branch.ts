/** What holds a branch, so that it cannot be moved or deleted: another checkout, or a rebase or bisection under way in any. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from './git.ts';
import type { SprintRepo } from './repo.ts';

/** Why a branch is held elsewhere than in the checkout at `own`, in a sentence. Undefined where it is not. */
export async function heldElsewhere(repo: SprintRepo, ref: string, own: string): Promise<string | undefined> {
  const branch = ref.replace(/^refs\/heads\//, '');
  const holder = (await checkouts(repo)).find((one) => one.ref === ref && one.path !== own);
  if (holder) return `"${branch}" is checked out in another worktree, ${holder.path}.`;
  return (await isBeingRebased(repo, branch)) ? `"${branch}" is being rebased or bisected: end that first.` : undefined;
}

/** The ref that a name leads to, since a branch may be an alias of another one. A detached HEAD leads nowhere. */
export async function refOf(git: Git, name: string): Promise<string> {
  return (await git.run(['symbolic-ref', '-q', name], { answers: [1] })).trim() || name;
}

async function checkouts({ personal, options }: SprintRepo): Promise<{ path: string; ref: string }[]> {
  const { root, gitDir, gitCommonDir } = options.repository;
  const text = await personal.run(['worktree', 'list', '--porcelain']);
  const all = text.split('\n\n').map((block, index) => ({
    // Git lists the main worktree first, and where its git folder is elsewhere, by that folder.
    path: index === 0 && gitDir === gitCommonDir ? root : (/^worktree (.*)$/m.exec(block)?.[1] ?? ''),
    ref: /^branch (.*)$/m.exec(block)?.[1] ?? '',
    isGone: /^prunable/m.test(block),
  }));
  return all.filter(({ isGone }) => !isGone);
}

/** A rebase detaches HEAD, so only these files name the branches, in any of the repository's worktrees. */
async function isBeingRebased({ gitCommonDir }: SprintRepo, branch: string): Promise<boolean> {
  const linked = join(gitCommonDir, 'worktrees');
  const others = (await readdir(linked).catch(() => [])).map((name) => join(linked, name));
  const folders = [gitCommonDir, ...others];
  const marks = ['rebase-merge/head-name', 'rebase-merge/update-refs', 'rebase-apply/head-name', 'BISECT_START'];
  const texts = await Promise.all(folders.flatMap((folder) => marks.map((mark) => readFile(join(folder, mark), 'utf8').catch(() => ''))));
  return texts.some((text) => text.split('\n').some((line) => line.trim() === `refs/heads/${branch}` || line.trim() === branch));
}
