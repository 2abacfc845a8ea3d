/** Real repositories in temporary folders, for the tests of git. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inspectRepository } from '../../../src/host/git/inspect.ts';
import { openSprintRepo, type SprintRepo } from '../../../src/host/git/repo.ts';

/** Calls git as a person would. */
export function git(folder: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

export function put(root: string, files: Record<string, string | Buffer>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

/** A temporary folder with a repository `repo` that has one commit on `main`. A sprint keeps its state beside it. */
export function repository(files: Record<string, string | Buffer> = { 'a.txt': 'one\n' }): Fixture {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'loop-git-')));
  const root = join(top, 'repo');
  mkdirSync(root);
  git(root, 'init', '-q', '-b', 'main');
  git(root, 'config', 'user.name', 'Ada');
  git(root, 'config', 'user.email', 'ada@example.org');
  put(root, files);
  git(root, 'add', '--all');
  git(root, 'commit', '-q', '-m', 'base');
  return { top, root, base: git(root, 'rev-parse', 'HEAD').trim(), dispose: () => rmSync(top, { recursive: true, force: true }) };
}
export interface Fixture {
  top: string;
  root: string;
  base: string;
  dispose(): void;
}

export const branch = 'loop/sprint';

/** The repository port of a sprint, with an open worktree. */
export async function sprint(fixture: Fixture): Promise<SprintRepo> {
  const repo = await closedSprint(fixture);
  await repo.openWorktree();
  return repo;
}
export async function closedSprint(fixture: Fixture): Promise<SprintRepo> {
  const found = await inspectRepository(fixture.root);
  return openSprintRepo({ repository: found, state: join(fixture.top, 'state'), branch, base: fixture.base });
}

/** Writes files and commits them as one settled change of the sprint. */
export async function settled(repo: SprintRepo, files: Record<string, string>, step = '1'): Promise<string> {
  put(repo.path, files);
  return repo.commit(`Step ${step}`, { 'Loop-Task': 'T1', 'Loop-Step': step });
}
