/** Whether a sprint's folder lies in a repository with a commit; if not, what a first commit would contain. */
import { access } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { firstCommitPreview } from '../../host/git/commit-first.ts';
import { openGit } from '../../host/git/git.ts';
import type { FirstCommit } from '../protocol.ts';

/** @param workspaceFolder where a repository would be created. `inspectSprint` reports every other problem. */
export async function firstCommit(sprintDir: string, workspaceFolder: string): Promise<FirstCommit> {
  const root = await repositoryAbove(sprintDir);
  const state = root === undefined ? 'no-repository' : (await hasCommit(root)) ? 'ready' : 'no-commit';
  const folder = root ?? workspaceFolder;
  if (state === 'ready') return { state, root: folder, files: [] };
  const { files, leftOut } = await firstCommitPreview(folder);
  const included = files.map((path) => ({ path, leftOut: null }));
  return { state, root: folder, files: [...included, ...leftOut.map(({ path, why }) => ({ path, leftOut: why }))] };
}

async function repositoryAbove(folder: string): Promise<string | undefined> {
  const isThere = await access(join(folder, '.git')).then(
    () => true,
    () => false,
  );
  if (isThere) return folder;
  return dirname(folder) === folder ? undefined : repositoryAbove(dirname(folder));
}

/** True also when git fails for another reason: a first commit could do harm then, so it is not offered. */
async function hasCommit(root: string): Promise<boolean> {
  const head = ['rev-parse', '-q', '--verify', 'HEAD'];
  return openGit({ folder: root })
    .test(head)
    .catch(() => true);
}
