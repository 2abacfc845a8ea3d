/**
 * Moves the person's checkout from one commit to the next. Everything else in it stays byte for byte: staged, dirty, untracked
 * and ignored files. Obstacles are found before the first write.
 */
import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { GitFailed, type Git } from './git.ts';

/** One path that differs between the two commits. Mode and object are zeros where it does not exist. */
interface Step {
  path: string;
  mode: string;
  from: string;
  to: string;
}

/**
 * Paths of the checkout that the change would overwrite: staged or dirty ones, untracked ones (also ignored or equal ones), and
 * files in the place of a needed folder.
 * @param again true after an interrupted try: files that are already as they should be are no obstacle.
 */
export async function obstacles(git: Git, from: string, to: string, again = false): Promise<string[]> {
  const steps = await stepsBetween(git, from, to);
  const [dirty, tracked] = await Promise.all([changedPaths(git), git.list(['ls-files', '-z'])]);
  const known = new Set(tracked);
  const found = new Set<string>();
  const done = again ? await doneAmong(git, steps) : new Set();
  for (const step of steps) {
    if (done.has(step)) continue;
    if (dirty.has(step.path)) found.add(step.path);
    if (!isAbsent(step.to)) for (const path of await untrackedAt(git, step.path, known)) found.add(path);
  }
  return [...found].sort();
}

/** Why git would not update files and index, in its own words: files that it was told to skip, an index with conflicts. */
export async function refusal(git: Git, from: string, to: string): Promise<string | undefined> {
  await refresh(git);
  try {
    await git.run(['read-tree', '-n', '-m', '-u', from, to]);
    return undefined;
  } catch (error) {
    if (error instanceof GitFailed) return error.words;
    throw error;
  }
}

/** Updates files and index, not the branch. Call it only when `obstacles` found none. @throws GitFailed */
export async function follow(git: Git, from: string, to: string, again: boolean): Promise<void> {
  if (again) await stageDone(git, from, to);
  await refresh(git);
  await git.run(['read-tree', '-m', '-u', from, to], { whole: true });
}

/** A file of the same content may have another time or place: git updates no such file. Where that fails, what follows says why. */
async function refresh(git: Git): Promise<void> {
  await git.run(['update-index', '-q', '--refresh'], { answers: [1, 128] });
}

async function stepsBetween(git: Git, from: string, to: string): Promise<Step[]> {
  const fields = await git.list(['diff-tree', '-r', '-z', '--no-renames', '--raw', '--no-abbrev', from, to, '--']);
  const steps: Step[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, mode = '', before = '', after = ''] = (fields[at] ?? '').split(' ');
    steps.push({ path: fields[at + 1] ?? '', mode, from: before, to: after });
  }
  return steps;
}

/** Tracked paths whose index entry or file differs from HEAD. Does not refresh the index. */
async function changedPaths(git: Git): Promise<Set<string>> {
  const status = ['status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=no', '--ignore-submodules=all'];
  return new Set((await git.list(status)).map((entry) => entry.slice(3)));
}

/** Untracked files at the path or above it. A tracked file there belongs to the change, so it is no obstacle. */
async function untrackedAt(git: Git, path: string, known: Set<string>): Promise<string[]> {
  const names = path.split('/');
  for (let depth = 1; depth <= names.length; depth++) {
    const at = names.slice(0, depth).join('/');
    const stat = await lstat(join(git.at.folder, at)).catch(() => undefined);
    if (!stat) return [];
    const last = depth === names.length;
    if (stat.isDirectory()) {
      if (last) return (await filesBelow(git.at.folder, at)).filter((file) => !known.has(file));
    } else if (!known.has(at)) return [at];
    else if (!last) return [];
  }
  return [];
}

async function filesBelow(root: string, path: string): Promise<string[]> {
  const entries = await readdir(join(root, path), { withFileTypes: true });
  const nested = entries.map((entry) => {
    const below = `${path}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(root, below) : Promise.resolve([below]);
  });
  return (await Promise.all(nested)).flat();
}

/** Stages files that an interrupted try wrote to disk, but not to the index. */
async function stageDone(git: Git, from: string, to: string): Promise<void> {
  const done = await doneAmong(git, await stepsBetween(git, from, to));
  const lines = [...done].filter((step) => !isAbsent(step.to)).map((step) => `${step.mode} ${step.to}\t${step.path}`);
  if (lines.length === 0) return;
  await git.run(['update-index', '--add', '--replace', '-z', '--index-info'], {
    input: lines.map((line) => `${line}\0`).join(''),
  });
}

/** The steps whose files are already as the change makes them. */
async function doneAmong(git: Git, steps: readonly Step[]): Promise<Set<Step>> {
  const at = (step: Step): string => join(git.at.folder, step.path);
  const stats = await Promise.all(steps.map((step) => lstat(at(step)).catch(() => undefined)));
  const files = steps.filter(({ to }, index) => !isAbsent(to) && stats[index]?.isFile());
  const paths = files.map(({ path }) => path);
  const [objects, hasModes] = await Promise.all([objectsOf(git, paths), followsModes(git)]);
  const isDone = async (step: Step, stat: Stats | undefined): Promise<boolean> => {
    if (isAbsent(step.to) || !stat) return isAbsent(step.to) && !stat;
    if (stat.isSymbolicLink()) return step.mode === '120000' && (await isLinkTo(at(step), step.to));
    if (objects.get(step.path) !== step.to) return false;
    return !hasModes || step.mode === ((stat.mode & 0o100) === 0 ? '100644' : '100755');
  };
  const done = await Promise.all(steps.map((step, index) => isDone(step, stats[index])));
  return new Set(steps.filter((_, index) => done[index]));
}

/** What git would keep these files as. One process for all of them takes each name quoted, also one that is two lines. */
async function objectsOf(git: Git, paths: readonly string[]): Promise<Map<string, string>> {
  if (paths.length === 0) return new Map();
  const quoted = paths.map((path) => `"${path.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}"\n`);
  const objects = (await git.run(['hash-object', '--stdin-paths'], { input: quoted.join('') })).split('\n');
  return new Map(paths.map((path, index) => [path, objects[index] ?? '']));
}

/** Git keeps a link's target as a blob, with no filter. */
async function isLinkTo(path: string, object: string): Promise<boolean> {
  const target = await readlink(path, { encoding: 'buffer' });
  const hash = createHash(object.length === 40 ? 'sha1' : 'sha256');
  return hash.update(`blob ${target.length}\0`).update(target).digest('hex') === object;
}

/** Not on a disk that has no executable bits. */
async function followsModes(git: Git): Promise<boolean> {
  return (await git.run(['config', '--type=bool', '--default=true', 'core.fileMode'])).trim() === 'true';
}

function isAbsent(object: string): boolean {
  return /^0+$/.test(object);
}
