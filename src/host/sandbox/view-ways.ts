/**
 * Finds out how this computer can make a view of a tree: by an overlay, whose price does not grow with the tree, where a user
 * namespace may mount one; else by a copy, which shares its blocks with the tree where the file system can (reflinks).
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../engine/ground/errors.ts';
import { removeFolder } from '../git/remove-folder.ts';
import { mountOverlay } from './overlay.ts';
import { trialOptions, type SandboxPrograms } from './programs.ts';

export type ViewWay = 'overlay' | 'reflink' | 'copy';

export interface ViewWays {
  way: ViewWay;
  /** Why it is no overlay, in words. */
  why: string;
}

const found = new Map<string, Promise<ViewWays>>();

/** Tries it once for each folder of views. @param folder of all views; it is created. */
export function findViewWay(programs: SandboxPrograms, folder: string): Promise<ViewWays> {
  const known = found.get(folder);
  if (known) return known;
  const tried = tryWays(programs, folder);
  found.set(folder, tried);
  // The disk may have been full: nothing was found out.
  tried.catch(() => found.delete(folder));
  return tried;
}

/**
 * An overlay needs the tree on the disk of its views, and files of this process's own user and group only, because no others have
 * a number in its namespace.
 */
export function suitsOverlay(root: string, folder: string): boolean {
  const [tree, views] = [statSync(root), statSync(folder)];
  return tree.dev === views.dev && tree.uid === process.geteuid?.() && tree.gid === process.getegid?.();
}

/** A sentence for the person where a run costs more because the tree is copied for it; undefined for an overlay. */
export function viewWords({ way, why }: ViewWays): string | undefined {
  if (way === 'overlay') return undefined;
  const how = way === 'reflink' ? 'a copy of the tree that shares its blocks' : 'a whole copy of the tree';
  return `each verification runs on ${how}, because no overlay can be mounted here (${why}): the larger the tree, the slower its start`;
}

async function tryWays(programs: SandboxPrograms, folder: string): Promise<ViewWays> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const trial = mkdtempSync(join(folder, 'trial-'));
  try {
    const why = suitsOverlay(trial, folder) ? await overlayProblem(programs, trial) : 'new files here belong to another group';
    if (why === undefined) return { way: 'overlay', why: '' };
    return { way: (await canReflink(programs, trial)) ? 'reflink' : 'copy', why };
  } finally {
    await removeFolder(trial);
  }
}

/** Undefined where a command in a sandbox writes into the overlay and the tree below stays as it was. */
async function overlayProblem(programs: SandboxPrograms, trial: string): Promise<string | undefined> {
  const tree = join(trial, 'tree');
  const file = join(tree, 'file');
  mkdirSync(tree);
  writeFileSync(file, 'old');
  const options = [...trialOptions.split(' '), '--bind', tree, tree];
  const command = [programs.bubblewrap, ...options, '/bin/sh', '-c', 'printf new >"$0" && cat "$0"', file];
  try {
    const overlay = await mountOverlay(programs, trial, tree);
    try {
      const problem = await failureOf([...overlay.enter, ...command], 'new');
      return problem ?? (readFileSync(file, 'utf8') === 'old' ? undefined : 'it wrote through');
    } finally {
      await overlay.end();
    }
  } catch (error) {
    return messageOf(error);
  }
}

async function canReflink({ cp }: SandboxPrograms, trial: string): Promise<boolean> {
  writeFileSync(join(trial, 'original'), 'text');
  return (await failureOf([cp, '--reflink=always', join(trial, 'original'), join(trial, 'twin')], '')) === undefined;
}

/** Long, because the computer may be busy; a command that hangs is no way either. */
const trialTimeout = 60_000;

/** The first line of what a command says against it; undefined where it ends well and prints what it should. */
function failureOf([program = '', ...args]: readonly string[], output: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: trialTimeout, env: {}, cwd: '/' }, (error, stdout, stderr) => {
      const said = (stderr.split('\n')[0] ?? '').trim() || 'it says nothing';
      resolve(error === null && stdout === output ? undefined : said);
    });
  });
}
