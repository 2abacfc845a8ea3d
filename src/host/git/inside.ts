/**
 * Reading and writing files that must lie inside a folder somebody else may be changing at the same time (I10): a
 * service of the sprint can swap a folder for a link between a check and its use. So a path is resolved once, and then
 * opened name by name without following any link, each name below the folder that is already held open.
 */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, realpath, rename, unlink, type FileHandle } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { InputError } from '../../engine/ground/errors.ts';
import { removeFolder } from './remove-folder.ts';

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/** Folders that belong to git, Loop and the editor; nothing in them is read or written through a tool. */
const reserved = new Set(['.git', '.loop', '.vscode', '.idea']);
const maxBytes = 16 * 1024 * 1024;

/**
 * Names of a repository-relative path, `.` taken out.
 * @throws InputError when it leaves the tree or enters a reserved folder, in whatever spelling a file system may fold.
 */
export function segmentsOf(path: string): string[] {
  if (path.includes('\0') || isAbsolute(path) || /^[A-Za-z]:/.test(path) || path.startsWith('\\'))
    throw refused(path, 'is not relative to the repository');
  const segments = path.split(sep === '\\' ? /[\\/]/ : '/').filter((name) => name !== '' && name !== '.');
  if (segments.includes('..')) throw refused(path, 'leaves the tree');
  refuseReserved(segments, path);
  return segments;
}

/** Bytes of a file, or undefined if there is none. @throws InputError when it is no file, too big, or outside. */
export async function readInside(root: string, path: string): Promise<Buffer | undefined> {
  const segments = segmentsOf(path);
  const file = await openInside(root, segments, path);
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

/** Creates or replaces a file and the folders above it; an existing file keeps its mode. @throws InputError as above. */
export async function writeInside(root: string, path: string, bytes: Uint8Array, mode = 0o666): Promise<void> {
  const segments = segmentsOf(path);
  const file = await openInside(root, segments, path, mode);
  try {
    await file?.writeFile(bytes);
  } finally {
    await file?.close();
  }
}

/**
 * Removes whatever has this name, reserved or not, without following a link above it. It is first moved beside the tree,
 * where nobody can put a link into it while it is being removed.
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

/** Opens a file for reading or, if it is to be created with a mode, empty for writing. */
async function openInside(root: string, names: string[], shown: string, mode?: number): Promise<FileHandle | undefined> {
  const real = await resolved(root, names, shown);
  const name = real.pop();
  if (name === undefined) throw refused(shown, 'is a folder');
  const folder = await openFolder(await realpath(root), real, mode !== undefined, shown);
  if (!folder) return undefined;
  return within(folder, () => {
    const path = folder.path(name);
    return mode === undefined ? openForReading(path, shown) : openForWriting(path, mode, shown);
  });
}

async function openForReading(path: string, shown: string): Promise<FileHandle | undefined> {
  return open(path, O_RDONLY | O_NONBLOCK | noFollow).catch((error: unknown) => missingOr(error, shown));
}

/** A file with more than one name is replaced, so that its other name, wherever it is, keeps its content. */
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

/** The names that a path really has below `root`, links within the tree resolved. */
async function resolved(root: string, names: string[], shown: string): Promise<string[]> {
  const top = await realpath(root);
  for (let known = names.length; known >= 0; known--) {
    const prefix = join(top, ...names.slice(0, known));
    const real = await realpath(prefix).catch((error: unknown) => missingOr(error, shown));
    if (real === undefined) continue; // not there yet, or a link to nothing, which is refused when it is opened
    const below = relative(top, real);
    if (isAbsolute(below) || below.split(sep)[0] === '..') throw refused(shown, 'leaves the tree through a link');
    const segments = below.split(sep).filter((name) => name !== '');
    refuseReserved(segments, shown);
    return [...segments, ...names.slice(known)];
  }
  throw refused(shown, 'has no folder to lie in');
}

/** A folder that is held open, and the path of a name in it. */
interface Folder {
  path(name: string): string;
  close(): Promise<void>;
}

/** Walks down without following links. Undefined if a folder is missing and `make` is false. */
async function openFolder(top: string, names: string[], make: boolean, shown: string): Promise<Folder | undefined> {
  let folder = await folderAt(top, top);
  for (const name of names) {
    const here = folder;
    const next = await within(here, () => descend(here.path(name), join(here.real, name), make, shown));
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

async function descend(path: string, real: string, make: boolean, shown: string) {
  const found = await folderAt(path, real).catch((error: unknown) => missingOr(error, shown));
  if (found || !make) return found;
  await mkdir(path).catch((error: unknown) => {
    if (!(isErrno(error) && error.code === 'EEXIST')) throw error;
  });
  return folderAt(path, real).catch((error: unknown) => missingOr(error, shown));
}

/**
 * Node has no `openat`. On Linux `/proc/self/fd/<n>/<name>` is the same thing; macOS refuses links anywhere in a path by
 * a flag; elsewhere (where no sandboxed command runs) the resolved path is used as it is.
 */
async function folderAt(path: string, real: string): Promise<Folder & { real: string }> {
  const handle = await open(path, O_RDONLY | (O_DIRECTORY ?? 0) | noFollow);
  const below = process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : real;
  return { real, path: (name) => join(below, name), close: () => handle.close() };
}
const darwinNoFollowAny = 0x20000000;
const noFollow = process.platform === 'darwin' ? darwinNoFollowAny : (O_NOFOLLOW ?? 0);

function refuseReserved(segments: string[], shown: string): void {
  const hit = segments.find((name) => reserved.has(folded(name)));
  if (hit !== undefined) throw refused(shown, `lies in "${hit}", which no tool may touch`);
}

/** As the most forgiving file system would read a name: case, accents, ignorable characters, trailing dots, streams. */
function folded(name: string): string {
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
