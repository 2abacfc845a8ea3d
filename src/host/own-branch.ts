/** A name for the branch of a new sprint or session, and the folder of its worktree. No two have one, whoever begins beside them. */
import { mkdir, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from './disk.ts';
import { openGit } from './git/git.ts';
import type { Repository } from './git/inspect.ts';
import { commitOf } from './git/worktree.ts';
import { worktreeFolder } from './state-folder.ts';

/** Whoever creates the folder has the name: nothing can come between. A branch may be left from another state folder. */
export async function claimBranch(
  { root, gitDir }: Pick<Repository, 'root' | 'gitDir'>,
  sprint: string,
  at: number,
): Promise<{ branch: string; worktree: string }> {
  const name = nameOf(sprint, at);
  const git = openGit({ folder: root, gitDir });
  for (let n = 1; ; n++) {
    const branch = n === 1 ? name : `${name}-${n}`;
    const worktree = await worktreeFolder(root, branch);
    if (!(await creates(worktree))) continue;
    if ((await commitOf(git, `refs/heads/${branch}`)) === undefined) return { branch, worktree };
    await rmdir(worktree);
  }
}

/** `loop/<sprint>-<yyyymmdd-hhmmss>`, in UTC. */
function nameOf(sprint: string, at: number): string {
  const slug =
    sprint
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '') || 'sprint';
  const stamp = new Date(at)
    .toISOString()
    .replaceAll(/[-:]|\.\d+Z/g, '')
    .replace('T', '-');
  return `loop/${slug}-${stamp}`;
}

async function creates(folder: string): Promise<boolean> {
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
  try {
    await mkdir(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}
