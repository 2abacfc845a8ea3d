/**
 * Reads and writes files inside a folder that another process may change at the same time (I10). A service of the sprint could
 * replace a folder with a link after it was tested and before it is used. So a path is resolved once and then opened name by
 * name, below the folder that is already open, without following any link.
 */
import { randomUUID } from 'node:crypto';
import { constants, mkdirSync, writeFileSync } from 'node:fs';
import { mkdir, open, realpath, rename, unlink, type FileHandle } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { InputError } from '../../engine/ground/errors.ts';
import { removeFolder } from './remove-folder.ts';

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/** Folders of git, Loop and editors. No tool reads or writes in them. */
const reserved = new Set(['.git', '.loop', '.vscode', '.idea']);
const maxBytes = 16 * 1024 * 1024;

/**
 * Splits a repository-relative path into names, without `.`.
 * @throws InputError when it leaves the tree or enters a reserved folder, also in a spelling that a file system treats as equal.
 */
export function segmentsOf(path: string): string[] {
  if (path.includes('\0') || isAbsolute(path) || /^[A-Za-z]:/.test(path) || path.startsWith('\\'))
    throw refused(path, 'is not relative to the repository');
  const segments = path.split(sep === '\\' ? /[\\/]/ : '/').filter((name) => name !== '' && name !== '.');
  if (segments.includes('..')) throw refused(path, 'leaves the tree');
  refuseReserved(segments, path);
  return segments;
}

/** The names that a path stands for, with links inside the tree resolved. @throws InputError when it leads outside. */
export function realNames(root: string, path: string): Promise<string[]> {
  return resolveLinks(root, segmentsOf(path), path);
}

/**
 * Reads a file; undefined if there is none.
 * @param links `refused`: the path may not lead through a link, not even one inside the tree.
 * @throws InputError when it is not a file, too large, or outside.
 */
export async function readInside(root: string, path: string, links?: 'refused'): Promise<Buffer | undefined> {
  const segments = segmentsOf(path);
  const real = links === 'refused' ? segments : await resolveLinks(root, segments, path);
  const file = await openInside(root, real, path);
  try {
    if (!file) return undefined;
    const stat = await file.stat();
    if (!stat.isFile()) throw refused(path, 'is not a file');
    if (stat.size > maxBytes) throw refused(path, `is larger than ${maxBytes / 1024 / 1024} MiB`);
    return await file.readFile();
  } finally {
    await file?.close();
  }
}

/** What a file gets, in pieces where it may be too large to be held at once. */
type Bytes = Uint8Array | AsyncIterable<Uint8Array>;

/** Creates or replaces a file and the folders above it; an existing file keeps its mode. @throws InputError as above. */
export async function writeInside(root: string, path: string, bytes: Bytes, mode = 0o666): Promise<void> {
  await writeAt(root, await realNames(root, path), bytes, mode);
}

/** The same for the names that a path stands for. */
export async function writeAt(root: string, names: string[], bytes: Bytes, mode = 0o666): Promise<void> {
  const file = await openInside(root, names, names.join('/'), mode);
  try {
    for await (const piece of bytes instanceof Uint8Array ? [bytes] : bytes) await file?.writeFile(piece);
  } finally {
    await file?.close();
  }
}

/**
 * Removes any entry with this name, also a reserved one, without following a link above it. The entry is first moved beside the
 * tree, where no other process can put a link into it during the removal.
 */
export async function removeInside(root: string, path: string): Promise<void> {
  const names = path.split('/');
  const name = names.pop() ?? '';
  const top = await realpath(root);
  const folder = await openFolder(top, names, false, path);
  if (!folder) return;
  const aside = `${top}.${randomUUID().slice(0, 8)}`;
  const moved = await within(folder, () =>
    rename(folder.path(name), aside).then(
      () => true,
      (error: unknown) => missingOr(error, path),
    ),
  );
  if (moved) await removeFolder(aside);
}

/**
 * Puts a folder with these files in the place of whatever has its name, without following a link. It is made beside the tree,
 * where no other process can put a link into it, and then moved there.
 * @throws InputError when a path leaves the tree, or another process made something of that name meanwhile.
 */
export async function replaceFolder(root: string, path: string, files: Readonly<Record<string, string>>): Promise<void> {
  const names = segmentsOf(path);
  const all = Object.entries(files).map(([file, text]) => ({ parts: segmentsOf(file), text }));
  const top = await realpath(root);
  const aside = `${top}.${randomUUID().slice(0, 8)}`;
  try {
    makeFolder(aside, all);
    await removeInside(root, names.join('/'));
    const parent = await openFolder(top, names.slice(0, -1), true, path);
    if (parent) await within(parent, () => rename(aside, parent.path(names.at(-1) ?? '')));
  } catch (error) {
    await removeFolder(aside);
    throw isErrno(error) && ['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(error.code ?? '')
      ? refused(path, 'was made by something else')
      : error;
  }
}

/** Synchronous, because a call on another thread takes twenty times as long as one of these. */
function makeFolder(path: string, files: readonly { parts: string[]; text: string }[]): void {
  mkdirSync(path);
  for (const { parts, text } of files) {
    mkdirSync(join(path, ...parts.slice(0, -1)), { recursive: true });
    writeFileSync(join(path, ...parts), text);
  }
}

/** Opens a file for reading or, with a mode, empty for writing. No name may be a link. */
async function openInside(root: string, names: string[], shown: string, mode?: number): Promise<FileHandle | undefined> {
  const name = names.at(-1);
  if (name === undefined) throw refused(shown, 'is a folder');
  const folder = await openFolder(await realpath(root), names.slice(0, -1), mode !== undefined, shown);
  if (!folder) return undefined;
  return within(folder, () => {
    const path = folder.path(name);
    return mode === undefined ? openForReading(path, shown) : openForWriting(path, mode, shown);
  });
}

async function openForReading(path: string, shown: string): Promise<FileHandle | undefined> {
  return open(path, O_RDONLY | O_NONBLOCK | noFollow).catch((error: unknown) => missingOr(error, shown));
}

/** A file with more than one hard link is replaced, so that its other name, which may be outside, keeps its content. */
async function openForWriting(path: string, mode: number, shown: string): Promise<FileHandle> {
  const existing = await open(path, O_WRONLY | O_NONBLOCK | noFollow).catch((error: unknown) => missingOr(error, shown));
  if (!existing) return create(path, mode, shown);
  const stat = await existing.stat();
  if (stat.isFile() && stat.nlink === 1) {
    await existing.truncate(0);
    return existing;
  }
  await existing.close();
  if (!stat.isFile()) throw refused(shown, 'is not a file');
  await unlink(path);
  return create(path, stat.mode & 0o777, shown);
}

async function create(path: string, mode: number, shown: string): Promise<FileHandle> {
  const file = await open(path, O_WRONLY | O_CREAT | O_EXCL | noFollow, mode).catch((error: unknown) => missingOr(error, shown));
  if (!file) throw refused(shown, 'cannot be created');
  return file;
}

/** The real names of a path below `root`, with links inside the tree resolved. */
async function resolveLinks(root: string, names: string[], shown: string): Promise<string[]> {
  const top = await realpath(root);
  for (let known = names.length; known >= 0; known--) {
    const prefix = join(top, ...names.slice(0, known));
    const real = await realpath(prefix).catch((error: unknown) => missingOr(error, shown));
    if (real === undefined) continue; // it does not exist, or is a dangling link, which opening refuses
    const below = relative(top, real);
    if (isAbsolute(below) || below.split(sep)[0] === '..') throw refused(shown, 'leaves the tree through a link');
    const segments = below.split(sep).filter((name) => name !== '');
    refuseReserved(segments, shown);
    return [...segments, ...names.slice(known)];
  }
  throw refused(shown, 'is in no existing folder');
}

/** An open folder. */
interface Folder {
  /** The path of a name in it. */
  path(name: string): string;
  close(): Promise<void>;
}

/** Opens a folder name by name, without following links. Undefined if a folder is missing and `make` is false. */
async function openFolder(top: string, names: string[], make: boolean, shown: string): Promise<Folder | undefined> {
  let folder = await folderAt(top, top);
  for (const name of names) {
    const here = folder;
    const next = await within(here, () => openChild(here.path(name), join(here.real, name), make, shown));
    if (!next) return undefined;
    folder = next;
  }
  return folder;
}

async function within<T>(folder: Folder, use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } finally {
    await folder.close();
  }
}

async function openChild(path: string, real: string, make: boolean, shown: string) {
  const found = await folderAt(path, real).catch((error: unknown) => missingOr(error, shown));
  if (found || !make) return found;
  await mkdir(path).catch((error: unknown) => {
    if (!(isErrno(error) && error.code === 'EEXIST')) throw error;
  });
  return folderAt(path, real).catch((error: unknown) => missingOr(error, shown));
}

/**
 * Node has no `openat`. On Linux `/proc/self/fd/<n>/<name>` does the same. On macOS a flag refuses links anywhere in a path.
 * Elsewhere no sandboxed command runs, so the resolved path is used directly.
 */
async function folderAt(path: string, real: string): Promise<Folder & { real: string }> {
  const handle = await open(path, O_RDONLY | (O_DIRECTORY ?? 0) | noFollow);
  const below = process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : real;
  return { real, path: (name) => join(below, name), close: () => handle.close() };
}
const darwinNoFollowAny = 0x20000000;
const noFollow = process.platform === 'darwin' ? darwinNoFollowAny : (O_NOFOLLOW ?? 0);

function refuseReserved(segments: string[], shown: string): void {
  const hit = segments.find((name) => reserved.has(fold(name)));
  if (hit !== undefined) throw refused(shown, `is in "${hit}", which no tool may touch`);
}

/** Folds a name like the most tolerant file system: case, accents, ignorable characters, trailing dots, streams. */
function fold(name: string): string {
  const plain = name
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toUpperCase()
    .toLowerCase();
  const base = plain.replace(/:.*$/s, '').replace(/[. ]+$/, '');
  return base === 'git~1' ? '.git' : base;
}

function missingOr(error: unknown, shown: string): undefined {
  const code = isErrno(error) ? error.code : undefined;
  if (code === 'ENOENT') return undefined;
  if (code === 'ENOTDIR' || code === 'ELOOP') throw refused(shown, 'goes through something that is not a folder, or a link');
  if (code === 'EISDIR') throw refused(shown, 'is a folder');
  if (code === 'ENXIO') throw refused(shown, 'is not a file');
  throw error;
}

function isErrno(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error;
}

function refused(path: string, why: string): InputError {
  return new InputError(`The path "${path}" ${why}.`, 'Name a file inside the repository, relative to its root, with "/".');
}
