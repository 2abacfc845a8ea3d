/**
 * Reads what Loop must know about a repository, and refuses one in which it cannot work. A rebase or merge in progress is no
 * reason to refuse, because the sprint has its own worktree. What only a start needs is asked by `baseOf`.
 */
import { realpath } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { InputError } from '../../engine/ground/errors.ts';
import { refuseExecutableConfig } from './executable-config.ts';
import { GitFailed, GitTimedOut, openGit, type Git } from './git.ts';
import { repositoryAbove } from './repository-above.ts';
import { requireRoomForBranches } from './room-for-branches.ts';

export interface Repository {
  /** The real path of the person's checkout. */
  root: string;
  /** The git folder of this checkout. */
  gitDir: string;
  /** The git folder that all worktrees of the repository share. */
  gitCommonDir: string;
  /** Branch that was checked out then (null when detached). The person may switch meanwhile, so a run takes it from `baseOf`. */
  branch: string | null;
  /** The sprint's folder, relative to the root, with `/`; empty at the root. */
  sprint: string;
}

/** @throws InputError with the next step: no repository, bare, executable configuration. */
export async function inspectRepository(sprintDir: string): Promise<Repository> {
  const at = await realpath(sprintDir).catch(() => {
    throw new InputError(`There is no folder ${sprintDir}.`, 'Create it, with VISION.md and PRD.md in it.');
  });
  const located = await locate(at);
  const git = openGit({ folder: located.root, gitDir: located.gitDir });
  await refuseExecutableConfig(git);
  const sprint = relative(located.root, at).split(sep).join('/');
  return { ...located, branch: branchIn(await headRef(git)), sprint };
}

/**
 * Where a new run starts, from one look at HEAD.
 * @throws InputError where there is no commit, one with submodules, or no room for a branch of Loop's.
 */
export async function baseOf({ root, gitDir }: Repository): Promise<{ commit: string; branch: string | null }> {
  const git = openGit({ folder: root, gitDir });
  await requireRoomForBranches(git);
  const ref = await headRef(git);
  const commit = await commitAt(git, ref, root);
  await refuseSubmodules(git, commit);
  return { commit, branch: branchIn(ref) };
}

/** The ref that is checked out; HEAD where it is detached. */
async function headRef(git: Git): Promise<string> {
  const ref = (await git.run(['symbolic-ref', '-q', 'HEAD'], { answers: [1] })).trim();
  return ref === '' ? 'HEAD' : ref;
}

function branchIn(ref: string): string | null {
  return /^refs\/heads\/(.*)$/.exec(ref)?.[1] ?? null;
}

/** Milliseconds. */
const statusTimeout = 5000;

/**
 * Paths of the person's checkout that differ from its commit, relative to the root, with `/`. A sprint starts from the commit,
 * so it does not have them. Undefined where git fails or takes too long; the sprint may start all the same.
 */
export async function uncommittedIn({ root, gitDir }: Repository): Promise<string[] | undefined> {
  const git = openGit({ folder: root, gitDir });
  const status = ['status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=all', '--ignore-submodules=all'];
  const entries = await git.list(status, { timeout: statusTimeout }).catch((error: unknown) => {
    if (error instanceof GitTimedOut || error instanceof GitFailed) return undefined;
    throw error;
  });
  return entries?.map((entry) => entry.slice(3));
}

async function locate(at: string): Promise<{ root: string; gitDir: string; gitCommonDir: string }> {
  const git = openGit({ folder: at });
  const ask = ['rev-parse', '--path-format=absolute', '--is-inside-work-tree', '--git-dir', '--git-common-dir'];
  const answer = await git.run(ask).catch((error: unknown) => explain(error, at));
  const [inside, gitDir = '', gitCommonDir = ''] = answer.split('\n');
  if (inside !== 'true')
    throw new InputError(`${at} lies in a bare repository, which has no files to work on.`, 'Clone it and start in the clone.');
  const root = (await git.run(['rev-parse', '--path-format=absolute', '--show-toplevel'])).replace(/\n$/, '');
  return { root: await realpath(root), gitDir: await realpath(gitDir), gitCommonDir: await realpath(gitCommonDir) };
}

/** Git exits with 128 for all of these problems, so the folders are looked at to tell them apart. */
async function explain(error: unknown, at: string): Promise<never> {
  if (!(error instanceof GitFailed)) throw error;
  if (error.exit < 0) throw new InputError('Git was not found.', 'Install git 2.31 or newer and put it on the PATH.');
  const repository = await repositoryAbove(at);
  if (repository === undefined)
    throw new InputError(
      `${at} is not in a git repository, and Loop works on a branch of its own.`,
      'Make one with the two commands: git init && git add --all && git commit -m "First commit".',
    );
  throw new InputError(`Git cannot use the repository at ${repository}: ${error.stderr.trim()}`, 'Mend it as git says above.');
}

async function commitAt(git: Git, ref: string, root: string): Promise<string> {
  const commit = (await git.run(['rev-parse', '-q', '--verify', `${ref}^{commit}`], { answers: [1] })).trim();
  if (commit !== '') return commit;
  throw new InputError(
    `The repository at ${root} has no commit yet, so there is nothing to branch from.`,
    'Make the first commit: git add --all && git commit -m "First commit".',
  );
}

/** Submodules are empty in a worktree, so whatever needs them would fail there. */
async function refuseSubmodules(git: Git, commit: string): Promise<void> {
  const entries = await git.list(['ls-tree', '-r', '-z', '--full-tree', commit]);
  const paths = entries.filter((entry) => entry.startsWith('160000 ')).map((entry) => entry.slice(entry.indexOf('\t') + 1));
  if (paths.length === 0) return;
  throw new InputError(
    `The repository has submodules (${paths.slice(0, 3).join(', ')}); they would be empty in a sprint's worktree.`,
    'Loop does not support submodules yet: start the sprint in a repository without them.',
  );
}
