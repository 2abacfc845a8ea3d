/**
 * What differs from the last commit, and how it becomes a commit (I10). Everything is staged in the worktree's own
 * index, which is the sprint's; supplied inputs are kept out by path, whatever `.gitignore` an agent writes.
 */
import { lstat, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { RefusedChange } from '../../engine/ground/errors.ts';
import type { Change } from '../../engine/ports.ts';
import { GitFailed, type Git } from './git.ts';
import { identity } from './identity.ts';
import { secretsInPatch } from './secret-files.ts';

const plainDiff = ['--no-ext-diff', '--no-textconv', '--no-renames', '--no-color', '--src-prefix=a/', '--dst-prefix=b/'];

/** Stages all that changed. @returns folders that hold a repository of their own, which cannot be staged. */
export async function stageAll(git: Git, inputs: string[]): Promise<string[]> {
  const nested = await nestedRepositories(git);
  const keptOut = [...(await notIgnored(git, inputs)), ...nested].map((path) => `:(exclude,top,literal)${path}`);
  try {
    await git.run(['add', '--all', '--', ':(top)', ...keptOut]);
  } catch (error) {
    // A name or a kind of file that git does not take: the change's fault, not the sprint's.
    throw error instanceof GitFailed ? new RefusedChange([error.said.trim()]) : error;
  }
  return nested;
}

/** Git takes the naming of an ignored path as an error, even to exclude it. */
async function notIgnored(git: Git, paths: string[]): Promise<string[]> {
  if (paths.length === 0) return [];
  const ignored = new Set(await git.list(['check-ignore', '-z', '--stdin'], { input: paths.join('\0'), answers: [1] }));
  return paths.filter((path) => !ignored.has(path));
}

export async function stagedChanges(git: Git): Promise<Change[]> {
  const fields = await git.list(['diff', '--cached', '--name-status', '-z', ...plainDiff, 'HEAD', '--']);
  return changesIn(fields);
}

/** `--name-status -z` as changes. */
export function changesIn(fields: string[]): Change[] {
  const kinds: Record<string, Change['kind']> = { A: 'added', D: 'deleted' };
  const changes: Change[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    changes.push({ path: fields[at + 1] ?? '', kind: kinds[fields[at] ?? ''] ?? 'modified' });
  }
  return changes;
}

/** What is staged, at one look: with `-z` an empty field ends the list of files, and the patch follows. */
export async function stagedChange(git: Git): Promise<{ files: Change[]; patch: string }> {
  const said = await git.run(['diff', '--cached', '--raw', '--patch', '--binary', '-z', ...plainDiff, 'HEAD', '--']);
  const [list = ''] = said.split('\0\0', 1);
  // Of a file's modes and hashes before its name, the last letter is the kind of its change.
  const fields = list.split('\0').map((field, at) => (at % 2 === 0 ? field.slice(-1) : field));
  return { files: changesIn(fields), patch: said.slice(list.length + 2) };
}

/** The patch of `stagedChange` alone. */
export async function stagedPatch(git: Git): Promise<string> {
  return git.run(['diff', '--cached', '--binary', ...plainDiff, 'HEAD', '--']);
}

/** Commits what is staged. @returns the commit; the one there was if nothing is staged. @throws RefusedChange. */
export async function commitStaged(git: Git, message: string, trailers: Record<string, string>): Promise<string> {
  const raw = await git.list(['diff', '--cached', '--raw', '-z', '--ignore-submodules=none', ...plainDiff, 'HEAD', '--']);
  if (raw.length > 0) {
    const reasons = await reasonsAgainst(git, raw);
    if (reasons.length > 0) {
      await unstage(git);
      throw new RefusedChange(reasons);
    }
    await commit(git, withTrailers(message, trailers));
  }
  return (await git.run(['rev-parse', 'HEAD'])).trim();
}

/** One commit of the index as it is. */
export async function commit(git: Git, message: string): Promise<void> {
  const args = ['commit', '-q', '--no-verify', '--no-gpg-sign', '--no-status', '--cleanup=verbatim', '-F', '-'];
  await git.run(args, { input: message, config: await identity(git) });
}

export async function unstage(git: Git): Promise<void> {
  await git.run(['read-tree', '--reset', 'HEAD']);
}

/** A message whose last paragraph is these trailers, whatever its text looks like. */
export function withTrailers(message: string, trailers: Record<string, string>): string {
  const lines = Object.entries(trailers).map(([key, value]) => `${key}: ${value.replaceAll(/\s+/g, ' ').trim()}`);
  return `${message.replaceAll('\0', '').trim() || 'Loop'}\n\n${lines.join('\n')}\n`;
}

/** @param raw the staged files as `--raw -z` lists them. */
async function reasonsAgainst(git: Git, raw: readonly string[]): Promise<string[]> {
  const links = raw.flatMap((field, at) => (/^:\d{6} 160000 /.test(field) ? [`${raw[at + 1] ?? ''} is a link to another repository`] : []));
  const patch = await git.run(['diff', '--cached', '-U0', ...plainDiff, 'HEAD', '--']);
  return [...links, ...secretsInPatch(patch)];
}

/**
 * Folders with a `.git` of their own among those that git looks at: it shows an untracked repository as a folder, and
 * passes over a `.git` inside a folder that it tracks.
 */
export async function nestedRepositories(git: Git): Promise<string[]> {
  const folders = await realFolders(git, await git.list(['ls-files', '-z', '-c', '-o', '--exclude-standard']));
  return existing(git, folders, '.git');
}

/** Attribute files that are not among the tracked files, where they say how those are written out. */
export async function untrackedAttributes(git: Git, tracked: string[]): Promise<string[]> {
  const folders = await existing(git, ['', ...(await realFolders(git, tracked))], '.gitattributes');
  const known = new Set(tracked);
  return folders.map((folder) => join(folder, '.gitattributes')).filter((path) => !known.has(path));
}

async function existing(git: Git, folders: string[], name: string): Promise<string[]> {
  const found = await Promise.all(folders.map((folder) => lstat(join(git.at.folder, folder, name)).catch(() => undefined)));
  return folders.filter((_, index) => found[index]).sort();
}

/** All folders above these paths, but not those that are links by now: what is behind them is not ours. */
async function realFolders(git: Git, paths: string[]): Promise<string[]> {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  const root = await realpath(git.at.folder);
  const real = await Promise.all([...folders].map((folder) => realpath(join(root, folder)).catch(() => undefined)));
  return [...folders].filter((folder, index) => real[index] === join(root, folder));
}
