/**
 * What Loop left on the disk, for the person to pick from: folders of sprints that are over, below the state folder, and archives
 * in the repository. A sprint that runs, can go on or is not finished keeps all of its own. Branches stay.
 */
import { createHash } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { goesOn } from '../../engine/core/fold.ts';
import { InputError, messageOf } from '../../engine/ground/errors.ts';
import type { LeftoverKind, WhyKept } from '../../engine/render/left-over.ts';
import { nounOf } from '../../engine/render/words.ts';
import type { State } from '../../engine/state/state.ts';
import { inspectRepository, type Repository } from '../git/inspect.ts';
import { removeFolder } from '../git/remove-folder.ts';
import { removeWorktree } from '../git/worktree.ts';
import { acquireLock, inspectLock } from '../lock.ts';
import { readSprint } from '../sprint.ts';
import { stateFolder, worktreeFolder } from '../state-folder.ts';
import { findLoopFolders, foldersIn, sizeOf } from './loop-folders.ts';

export interface Leftover {
  /** Names it for a removal, as long as it lies where it lies. */
  id: string;
  kind: LeftoverKind;
  path: string;
  /** What is shown: the sprint's branch or folder. */
  name: string;
  bytes: number;
  /** The sprint's folder whose lock is held while it is removed. */
  owner: string | null;
  /** Path of what goes with it, since nothing else would say whose it is. */
  along?: string;
}

/** What stays, since its sprint needs it. */
export interface KeptFolder {
  path: string;
  name: string;
  bytes: number;
  why: WhyKept;
}

export interface CleanUp {
  leftovers: Leftover[];
  kept: KeptFolder[];
}

/** @param folder any folder of the repository. @throws InputError where it is in none. */
export async function findLeftovers(folder: string): Promise<CleanUp> {
  const repository = await inspectRepository(folder);
  const owners = await readOwners(repository.root);
  const found: CleanUp = { leftovers: [], kept: [] };
  for (const one of await ownFolders(repository, owners)) {
    if ('why' in one) found.kept.push({ ...one, bytes: await sizeOf(one.path) });
    else found.leftovers.push({ ...one, bytes: await sizeOf(one.path) });
  }
  for (const one of await goneFolders(repository)) found.leftovers.push({ ...one, bytes: await sizeOf(one.path) });
  found.leftovers.sort((one, other) => other.bytes - one.bytes);
  return found;
}

/**
 * Looks again, and removes of what is left over what was picked.
 * @returns bytes that were freed, and what could not be removed, one sentence each. @throws InputError for an unknown id.
 */
export async function removeLeftovers(folder: string, ids: readonly string[]): Promise<{ bytes: number; problems: string[] }> {
  const repository = await inspectRepository(folder);
  const { leftovers } = await findLeftovers(folder);
  const unknown = ids.find((id) => !leftovers.some((one) => one.id === id));
  if (unknown !== undefined)
    throw new InputError(`Nothing that can be removed is called "${unknown}".`, 'Run "loop clean" to see what there is now.');
  const problems: string[] = [];
  let bytes = 0;
  const picked = leftovers.filter(({ id }) => ids.includes(id));
  const along = picked.flatMap((one) => one.along ?? []);
  const all = leftovers.filter((each) => picked.includes(each) || along.includes(each.path));
  // A record goes last: it says whose the caches are, and its folder holds the lock of both.
  for (const one of all.toSorted((a, b) => Number(a.kind === 'session') - Number(b.kind === 'session'))) {
    try {
      await remove(one, repository);
      bytes += one.bytes;
    } catch (error) {
      problems.push(`${one.name} was not removed: ${messageOf(error)}`);
    }
  }
  return { bytes, problems };
}

/** A sprint that begins or goes on in that folder at this moment keeps it. */
async function remove({ path, owner, kind }: Leftover, { gitCommonDir }: Repository): Promise<void> {
  const lock = owner === null ? undefined : await acquireLock(owner);
  try {
    if (kind === 'caches' || kind === 'unknown')
      for (const worktree of await foldersIn(join(path, 'worktree')))
        await removeWorktree({ path: worktree, gitCommonDir, branch: '', base: '' });
    if (kind === 'session') await removeFolder(join(path, '.loop'));
    await removeFolder(path);
  } finally {
    await lock?.release();
  }
}

interface Owner {
  dir: string;
  /** Undefined where its journal cannot be read. */
  state: State | undefined;
  isRunning: boolean;
  archives: string[];
}

interface Owners {
  all: Owner[];
  /** Every folder was looked at, and every journal could be read, so what belongs to none of them is nobody's here. */
  complete: boolean;
}

async function readOwners(root: string): Promise<Owners> {
  const { dirs, complete } = await findLoopFolders(root);
  const all: Owner[] = [];
  let readable = complete;
  for (const dir of dirs) {
    const state = await readSprint(dir).catch(() => void (readable = false));
    const isRunning = (await inspectLock(dir)) !== undefined;
    all.push({ dir, state: state ?? undefined, isRunning, archives: await foldersIn(join(dir, '.loop', 'archive')) });
  }
  return { all, complete: readable };
}

type Found = Omit<Leftover, 'bytes'> | Omit<KeptFolder, 'bytes'>;

async function ownFolders(repository: Repository, { all, complete }: Owners): Promise<Found[]> {
  const { root } = repository;
  const known = new Map<string, Found>();
  const found: Found[] = [];
  for (const owner of all) {
    const { dir, state, archives } = owner;
    if (state) {
      const path = await worktreeFolder(root, state.opened.branch);
      const name = `${nounOf(state.opened)} ${state.opened.sprint}`;
      const why = whyKept(owner);
      known.set(path, why ? { path, name, why } : leftover('caches', path, name, dir));
      const isSession = state.opened.kind === 'pipeline' && basename(dirname(dir)) === 'pipelines';
      if (!why && isSession) found.push({ ...leftover('session', dir, name, dir), along: path });
    }
    for (const path of archives) {
      const name = basename(path);
      const caches = await worktreeFolder(root, `loop/${name}`);
      found.push({ ...leftover('archive', path, relative(root, path) || name, dir), along: caches });
      if (!known.has(caches)) known.set(caches, leftover('caches', caches, `Sprint ${name}`, dir));
    }
  }
  for (const path of await foldersIn(dirname(await worktreeFolder(root, 'loop/x')))) {
    const one = known.get(path);
    if (one) found.push(one);
    else if (complete) found.push(leftover('unknown', path, basename(path), null));
    else found.push({ path, name: basename(path), why: 'unreadable' });
  }
  return found;
}

function whyKept({ state, isRunning }: Owner): WhyKept | undefined {
  if (isRunning) return 'running';
  if (state && goesOn(state)) return 'goes-on';
  return state && !state.ledger.finished ? 'unfinished' : undefined;
}

function leftover(kind: Leftover['kind'], path: string, name: string, owner: string | null): Omit<Leftover, 'bytes'> {
  return { id: createHash('sha256').update(path).digest('hex').slice(0, 8), kind, path, name, owner };
}

/** Of other repositories: only where a worktree names one that is not there any more. Others are asked in that repository. */
async function goneFolders({ root }: Repository): Promise<Omit<Leftover, 'bytes'>[]> {
  const own = dirname(await worktreeFolder(root, 'loop/x'));
  const found: Omit<Leftover, 'bytes'>[] = [];
  for (const of of await foldersIn(join(stateFolder(), 'worktrees'))) {
    if (of === own) continue;
    for (const path of await foldersIn(of)) {
      const gone = await goneRepository(path);
      if (gone !== undefined) found.push(leftover('gone', path, gone, null));
    }
  }
  return found;
}

/** The repository's git folder, where a worktree names it and it does not exist. */
async function goneRepository(folder: string): Promise<string | undefined> {
  for (const worktree of await foldersIn(join(folder, 'worktree'))) {
    const pointer = await readFile(join(worktree, '.git'), 'utf8').catch(() => '');
    const entry = /^gitdir: (.+)\n?$/.exec(pointer)?.[1];
    if (entry === undefined || basename(dirname(entry)) !== 'worktrees') return undefined;
    const git = dirname(dirname(entry));
    const isThere = await realpath(git).then(
      () => true,
      () => false,
    );
    if (!isThere) return git;
  }
  return undefined;
}
