/**
 * Brings the person's checkout from one commit to the next and leaves everything else in it byte for byte: what is
 * staged, dirty, untracked or ignored. Whatever is in the way is found before the first write.
 */
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from './git.ts';

/** One path that differs between the two commits. Mode and object are zeros where it does not exist. */
interface Step {
  path: string;
  mode: string;
  from: string;
  to: string;
}

/**
 * Paths of the checkout that the change would overwrite: staged or dirty ones, untracked ones (ignored or not, equal or
 * not), and what stands where a folder must be.
 * @param again an earlier try was cut: what already looks as it should is fine.
 */
export async function obstacles(git: Git, from: string, to: string, again = false): Promise<string[]> {
  const steps = await stepsBetween(git, from, to);
  const [dirty, tracked] = await Promise.all([changedPaths(git), git.list(['ls-files', '-z'])]);
  const known = new Set(tracked);
  const found = new Set<string>();
  for (const step of steps) {
    if (again && (await looksDone(git, step))) continue;
    if (dirty.has(step.path)) found.add(step.path);
    if (!isAbsent(step.to)) for (const path of await inTheWay(git, step.path, known)) found.add(path);
  }
  return [...found].sort();
}

/** Files and index follow; the branch does not. Only after `obstacles` found none. */
export async function follow(git: Git, from: string, to: string, again: boolean): Promise<void> {
  if (again) await adopt(git, from, to);
  await git.run(['read-tree', '-m', '-u', from, to]);
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

/** Tracked paths whose index entry or file is not that of HEAD. Reads the index and does not refresh it. */
async function changedPaths(git: Git): Promise<Set<string>> {
  const status = ['status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=no', '--ignore-submodules=all'];
  return new Set((await git.list(status)).map((entry) => entry.slice(3)));
}

/** What is at the path, or above it, that git does not track. Tracked files that are in the way belong to the change. */
async function inTheWay(git: Git, path: string, known: Set<string>): Promise<string[]> {
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

/** Puts what an earlier try wrote to disk, but not to the index, into the index. */
async function adopt(git: Git, from: string, to: string): Promise<void> {
  const lines: string[] = [];
  for (const step of await stepsBetween(git, from, to)) {
    if (!isAbsent(step.to) && (await looksDone(git, step))) lines.push(`${step.mode} ${step.to}\t${step.path}`);
  }
  if (lines.length === 0) return;
  await git.run(['update-index', '--add', '--replace', '-z', '--index-info'], {
    input: lines.map((line) => `${line}\0`).join(''),
  });
  await git.run(['update-index', '-q', '--refresh'], { answers: [1] });
}

/** The file is what the change makes of it. */
async function looksDone(git: Git, step: Step): Promise<boolean> {
  const stat = await lstat(join(git.at.folder, step.path)).catch(() => undefined);
  if (isAbsent(step.to) || !stat) return isAbsent(step.to) && !stat;
  if (!stat.isFile()) return false;
  return (await git.run(['hash-object', '--', step.path])).trim() === step.to;
}

function isAbsent(object: string): boolean {
  return /^0+$/.test(object);
}
