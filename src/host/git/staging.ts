/**
 * Stages and commits what differs from the last commit (I10), in the worktree's own index. Supplied inputs are excluded by path,
 * so a `.gitignore` from an agent has no effect on that.
 */
import { randomBytes } from 'node:crypto';
import { lstat, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { RefusedChange } from '../../engine/ground/errors.ts';
import type { ChangedFile } from '../../engine/work/tree.ts';
import { failedWrite } from '../disk.ts';
import { GitFailed, GitOverflowed, type Git, type RunOptions } from './git.ts';
import { looksSecret } from '../../engine/ground/secret-names.ts';
import { secretsInPatch } from './secret-files.ts';
import { trackedPaths } from './tracked-paths.ts';

const plainDiff = ['--no-ext-diff', '--no-textconv', '--no-renames', '--no-color', '--src-prefix=a/', '--dst-prefix=b/'];

/**
 * Stages all changes.
 * @param known the nested repositories, where they were looked up before.
 * @returns folders with a repository of their own, which cannot be staged.
 * @throws RefusedChange for what git does not take; Interruption `failed-write` where it can write nothing.
 */
export async function stageAll(git: Git, inputs: string[], known?: string[]): Promise<string[]> {
  const nested = known ?? (await nestedRepositories(git));
  const keptOut = [...(await notIgnored(git, inputs)), ...nested].map((path) => `:(exclude,top,literal)${path}`);
  await add(git, ['--all', '--', ':(top)', ...keptOut]);
  return nested;
}

/** Stages these paths, also ignored ones. @throws as `stageAll`. */
export async function stagePaths(git: Git, paths: readonly string[]): Promise<void> {
  const input = paths.map((path) => `:(top,literal)${path}`).join('\0');
  await add(git, ['-f', '--pathspec-from-file=-', '--pathspec-file-nul'], { input });
}

async function add(git: Git, args: string[], options?: RunOptions): Promise<void> {
  try {
    await git.run(['add', ...args], options);
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
    await requireWritable(git, error);
    // Git does not accept a name or a kind of file. The change is at fault, so the sprint goes on.
    throw new RefusedChange([error.stderr.trim()]);
  }
}

/** No change is at fault where git can write no object: a full disk still takes a short one, and git writes none that it has. */
async function requireWritable(git: Git, why: GitFailed): Promise<void> {
  try {
    await git.run(['hash-object', '-w', '--stdin'], { input: randomBytes(2 ** 20).toString('base64') });
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
    const objects = await git.run(['rev-parse', '--path-format=absolute', '--git-path', 'objects']);
    throw failedWrite(objects.trim(), why);
  }
}

/** Git fails for an ignored path on the command line, even for one that is excluded. */
async function notIgnored(git: Git, paths: string[]): Promise<string[]> {
  if (paths.length === 0) return [];
  const ignored = new Set(await git.list(['check-ignore', '-z', '--stdin'], { input: paths.join('\0'), answers: [1] }));
  return paths.filter((path) => !ignored.has(path));
}

export async function stagedChanges(git: Git): Promise<ChangedFile[]> {
  const fields = await git.list(['diff', '--cached', '--name-status', '-z', ...plainDiff, 'HEAD', '--']);
  return changesIn(fields);
}

/** Reads the output of `--name-status -z` or `--raw -z`, whose fields before a name end with the kind of the change. */
export function changesIn(fields: readonly string[]): ChangedFile[] {
  const kinds: Record<string, ChangedFile['kind']> = { A: 'added', D: 'deleted' };
  const changes: ChangedFile[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    changes.push({ path: fields[at + 1] ?? '', kind: kinds[fields[at]?.slice(-1) ?? ''] ?? 'modified' });
  }
  return changes;
}

/** What is staged beyond the last commit. */
export interface StagedChange {
  files: ChangedFile[];
  patch: string;
  /** Why it must not become a commit: a key, or a link to another repository. */
  reasons: string[];
}

/** Bytes of a patch, which is one text: a host such as GitHub takes no larger file either. */
const maxPatch = 100 * 1024 * 1024;

/** Files, patch and judgement of what is staged, from one call. @throws RefusedChange where that is too large. */
export async function stagedChange(git: Git): Promise<StagedChange> {
  const args = ['diff', '--cached', '--raw', '--patch', '--binary', '-z', '--ignore-submodules=none', ...plainDiff, 'HEAD', '--'];
  const output = await git.run(args, { maxBytes: maxPatch }).catch(async (error: unknown) => {
    throw error instanceof GitOverflowed ? await tooLarge(git, rawAndPatch(error.output).fields) : error;
  });
  const { fields, patch } = rawAndPatch(output);
  const files = changesIn(fields);
  const links = fields.flatMap((field, at) =>
    /^:\d{6} 160000 /.test(field) ? [`${fields[at + 1] ?? ''} is a link to another repository`] : [],
  );
  const named = (await addedSecrets(git, files)).map((path) => `the name of ${path} says that it holds a key or a password`);
  return { files, patch, reasons: [...links, ...named, ...secretsInPatch(patch)] };
}

/** The patch of `stagedChange` alone; undefined where it is too large for one. */
export async function stagedPatch(git: Git): Promise<string | undefined> {
  const args = ['diff', '--cached', '--binary', '--ignore-submodules=none', ...plainDiff, 'HEAD', '--'];
  return git.run(args, { maxBytes: maxPatch }).catch((error: unknown) => {
    if (error instanceof GitOverflowed) return undefined;
    throw error;
  });
}

/** @param fields of `--raw -z`. */
async function tooLarge(git: Git, fields: readonly string[]): Promise<RefusedChange> {
  const sides = fields.flatMap((field, at) => {
    const [, , before = '', after = ''] = field.split(' ');
    return field.startsWith(':') ? [before, after].map((object) => ({ object, path: fields[at + 1] ?? '' })) : [];
  });
  const input = sides.map(({ object }) => `${object}\n`).join('');
  const sizes = (await git.run(['cat-file', '--batch-check=%(objectsize)'], { input }))
    .split('\n')
    .map((size) => Number.parseInt(size, 10) || 0);
  const most = Math.max(...sizes);
  const why = `its patch is larger than ${inMib(maxPatch)}, and its largest file, ${sides[sizes.indexOf(most)]?.path ?? ''}, has ${inMib(most)}`;
  return new RefusedChange([`${why}: name what is no source in .gitignore, or leave it out`]);
}

function inMib(bytes: number): string {
  return `${Math.ceil(bytes / 1024 / 1024)} MiB`;
}

/** Commits what is staged, unless it is nothing. @param who its author, as settings of git. @throws RefusedChange where there are reasons against it. */
export async function commitStaged(git: Git, { files, reasons }: StagedChange, message: string, who: string[]): Promise<void> {
  if (reasons.length > 0) {
    await unstage(git);
    throw new RefusedChange(reasons);
  }
  if (files.length > 0) await commit(git, message, who);
}

/** Commits the index as it is. @param who its author, as settings of git. @throws Interruption `failed-write` where git can write nothing. */
export async function commit(git: Git, message: string, who: string[]): Promise<void> {
  const args = ['commit', '-q', '--no-verify', '--no-gpg-sign', '--no-status', '--cleanup=verbatim', '-F', '-'];
  try {
    await git.run(args, { input: message, config: who });
  } catch (error) {
    if (error instanceof GitFailed) await requireWritable(git, error);
    throw error;
  }
}

export async function unstage(git: Git): Promise<void> {
  await git.run(['read-tree', '--reset', 'HEAD']);
}

/** Appends the trailers as a last paragraph, whatever the message looks like. */
export function withTrailers(message: string, trailers: Record<string, string>): string {
  const lines = Object.entries(trailers).map(([key, value]) => `${key}: ${value.replaceAll(/\s+/g, ' ').trim()}`);
  return `${message.replaceAll('\0', '').trim() || 'Loop'}\n\n${lines.join('\n')}\n`;
}

/** What only moved is not added: the person committed it. */
async function addedSecrets(git: Git, changes: readonly ChangedFile[]): Promise<string[]> {
  if (!changes.some(({ kind, path }) => kind === 'added' && looksSecret(path))) return [];
  const added = await git.list(['diff', '--cached', '--name-only', '--diff-filter=A', '-z', '-M100%', '--no-ext-diff', 'HEAD', '--']);
  return added.filter(looksSecret);
}

/** With `-z` an empty field ends the list of files, and the patch follows. */
function rawAndPatch(output: string): { fields: string[]; patch: string } {
  const [list = ''] = output.split('\0\0', 1);
  return { fields: list.split('\0').filter((field) => field !== ''), patch: output.slice(list.length + 2) };
}

/**
 * Folders with a `.git` of their own. Git lists an untracked repository as a folder, and ignores a `.git` inside a folder that
 * it tracks, so both are looked up.
 * @param untracked what is not ignored, where git listed it before.
 */
export async function nestedRepositories(git: Git, untracked?: readonly string[]): Promise<string[]> {
  const [tracked, others] = await Promise.all([trackedPaths(git), untracked ?? git.list(['ls-files', '-z', '-o', '--exclude-standard'])]);
  return foldersWith(git, [...tracked, ...others], '.git');
}

/** Untracked `.gitattributes` beside or above tracked files, where they change how git writes those. */
export async function untrackedAttributes(git: Git, tracked: string[]): Promise<string[]> {
  const folders = await foldersWith(git, tracked, '.gitattributes', ['']);
  const known = new Set(tracked);
  return folders.map((folder) => join(folder, '.gitattributes')).filter((path) => !known.has(path));
}

/** Those above these paths that hold this name, except those that are links now: their target may be outside of the tree. */
async function foldersWith(git: Git, paths: readonly string[], name: string, also: readonly string[] = []): Promise<string[]> {
  const folders = [...also, ...foldersOf(paths)];
  const found = await Promise.all(folders.map((folder) => lstat(join(git.at.folder, folder, name)).catch(() => undefined)));
  const root = await realpath(git.at.folder);
  const holding = folders.filter((_, index) => found[index]);
  const real = await Promise.all(holding.map((folder) => realpath(join(root, folder)).catch(() => undefined)));
  return holding.filter((folder, index) => real[index] === join(root, folder)).sort();
}

function foldersOf(paths: readonly string[]): Set<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}
