/** Whether a sprint's folder lies in a repository with a commit; if not, what a first commit would contain. */
import { firstCommitPreview, hasCommit } from '../../host/git/commit-first.ts';
import { repositoryAbove } from '../../host/git/repository-above.ts';
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
