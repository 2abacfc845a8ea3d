/** Whether a sprint's folder lies in a repository with a commit; and if not, what a first commit would hold. */
import { access } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { firstCommitPreview } from '../../host/git/commit-first.ts';
import { openGit } from '../../host/git/git.ts';
import type { FirstCommit } from '../protocol.ts';

/** @param workspaceFolder where a repository would be made. Whatever else is wrong is for `inspectSprint` to say. */
export async function firstCommit(sprintDir: string, workspaceFolder: string): Promise<FirstCommit> {
  const root = await repositoryAbove(sprintDir);
  const state = root === undefined ? 'no-repository' : (await hasCommit(root)) ? 'ready' : 'no-commit';
  const folder = root ?? workspaceFolder;
  if (state === 'ready') return { state, root: folder, files: [] };
  const { files, leftOut } = await firstCommitPreview(folder);
  const taken = files.map((path) => ({ path, leftOut: null }));
  return { state, root: folder, files: [...taken, ...leftOut.map(({ path, why }) => ({ path, leftOut: why }))] };
}

async function repositoryAbove(folder: string): Promise<string | undefined> {
  const there = await access(join(folder, '.git')).then(
    () => true,
    () => false,
  );
  if (there) return folder;
  return dirname(folder) === folder ? undefined : repositoryAbove(dirname(folder));
}

/** A git that refuses for another reason counts as one with a commit: nothing is offered then that might do harm. */
async function hasCommit(root: string): Promise<boolean> {
  const head = ['rev-parse', '-q', '--verify', 'HEAD'];
  return openGit({ folder: root })
    .test(head)
    .catch(() => true);
}
