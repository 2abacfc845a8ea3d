/**
 * Writes files whole: after a crash or on a full disk a file is old or new, never half (I1). Libraries for this ignore a short
 * write and then replace a good file with half a file. A killed process can leave a temporary file, which nothing reads; the next one
 * that holds the lock removes it. Short calls are synchronous: one on another thread takes twenty times as long.
 */
import { randomUUID } from 'node:crypto';
import { chmodSync, fstatSync, lstatSync, mkdirSync, renameSync } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Bug, InputError, Interruption, messageOf } from '../engine/ground/errors.ts';

/**
 * Replaces the file at `path` in one step.
 * @param durable if true, content and name are on disk when this returns; else a power cut may bring back the old file.
 * @param mode of the new file, where it is not the usual one.
 * @throws Interruption `failed-write`; the old file is then still whole.
 */
export async function replaceFile(path: string, bytes: Uint8Array, { durable, mode }: { durable: boolean; mode?: number }): Promise<void> {
  const temporary = `${path}.${randomUUID().slice(0, 8)}.tmp`;
  try {
    await writeWhole(temporary, bytes, durable);
    if (mode !== undefined) chmodSync(temporary, mode);
    renameSync(temporary, path);
    if (durable) await syncFolder(dirname(path));
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw failedWrite(path, error);
  }
}

/** A name that `replaceFile` gives a file until it is whole. */
export function isTemporary(name: string): boolean {
  return /\.[0-9a-f]{8}\.tmp$/.test(name);
}

/** Writes a new file, whole or not at all. @throws the system's own errors, also for an existing file. */
export async function writeWhole(path: string, bytes: Uint8Array, durable: boolean): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await fill(file, bytes, durable);
  } catch (error) {
    await rm(path, { force: true }).catch(() => undefined);
    throw error;
  } finally {
    await file.close();
  }
}

/** Makes the file names in a folder durable. Windows has no such call and needs none. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/**
 * Creates the nested folders `names` below `root` and returns the path of the last.
 * @throws InputError where something that is no folder has the name: a link could lead out of `root`.
 */
export async function makeFolders(root: string, names: readonly string[], { durable }: { durable: boolean }): Promise<string> {
  let folder = root;
  for (const name of names) {
    const parent = folder;
    folder = join(parent, name);
    if (makeFolder(folder) && durable) await syncFolder(parent);
  }
  return folder;
}

/** The system wrote fewer bytes than it got. A full disk does this before it reports an error. */
export class ShortWrite extends Error {
  constructor(written: number, length: number) {
    super(`only ${written} of ${length} bytes were written`);
  }
}

/** The error to throw for a failed write: the sprint stops, and the same command resumes it. */
export function failedWrite(path: string, cause: unknown): Error {
  if (cause instanceof InputError || cause instanceof Interruption || cause instanceof Bug) return cause;
  const full = cause instanceof ShortWrite || ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(codeOf(cause) ?? '');
  const mend = full ? 'Its disk is full: make room' : 'Mend that';
  return new Interruption(
    'failed-write',
    `Cannot write ${path} (${messageOf(cause)}). ${mend}, then run the same command again; nothing that was settled is lost.`,
    { cause },
  );
}

/** The system's code of an error, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** The result of `read`; undefined when there is no such file. */
export async function unlessMissing<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** The same for a synchronous call. */
export function ifThere<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function fill(file: FileHandle, bytes: Uint8Array, durable: boolean): Promise<void> {
  await file.writeFile(bytes);
  const { size } = fstatSync(file.fd);
  if (size !== bytes.length) throw new ShortWrite(size, bytes.length);
  if (durable) await file.sync();
}

/** @returns whether this call created it. */
function makeFolder(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw failedWrite(path, error);
  }
  if (lstatSync(path).isDirectory()) return false;
  throw new InputError(`${path} is not a folder; Loop keeps its own files there.`, 'Move it away, then run the command again.');
}
