/**
 * Reads a text that a person wrote for a sprint. It may be anything: a folder, a pipe that never ends, a link to a secret. So it is
 * opened without waiting and without following, and looked at once it is open.
 */
import { constants, type Stats } from 'node:fs';
import { lstat, open, realpath, type FileHandle } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { InputError } from '../engine/ground/errors.ts';
import { codeOf, unlessMissing } from './disk.ts';
import { repositoryAbove } from './git/repository-above.ts';
import { isWithin } from './sandbox/places.ts';

/** Far more than a person writes, and little enough to hold in memory. */
const maxBytes = 4 * 1024 * 1024;

/** @returns undefined where there is no such file. @throws InputError with the file and the next step. */
export async function readInputFile(folder: string, name: string): Promise<string | undefined> {
  const path = join(folder, name);
  const found = await unlessMissing(lstat(path)).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  if (!found) return undefined;
  const target = found.isSymbolicLink() ? await targetOf(folder, path) : path;
  const bytes = await readWhole(target, path);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new InputError(`${path} is not UTF-8 text.`, 'Save it as UTF-8 and run the command again.');
  }
}

/** A link may lead to another file of the repository, which the sprint shows to a model, but not out of it. */
async function targetOf(folder: string, path: string): Promise<string> {
  const target = await realpath(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') throw refused(path, 'is a symbolic link that leads nowhere');
    if (codeOf(error) === 'ELOOP') throw refused(path, 'is a symbolic link that leads in a circle');
    throw unreadable(path, error);
  });
  const own = await realpath(folder);
  const root = (await repositoryAbove(own)) ?? own;
  if (!isWithin(target, root)) throw refused(path, 'is a symbolic link that leads out of the repository');
  return target;
}

async function readWhole(target: string, shown: string): Promise<Buffer> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(target, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: unknown) => {
    if (codeOf(error) === 'ENXIO') throw refused(shown, 'is a socket');
    throw unreadable(shown, error);
  });
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw refused(shown, `is ${kindOf(stat)}`);
    if (stat.size > maxBytes) throw tooLarge(shown, stat.size);
    return await readAtMost(file, shown);
  } catch (error) {
    throw error instanceof InputError ? error : unreadable(shown, error);
  } finally {
    await file.close();
  }
}

/** The file may grow while it is read, and some files have no size that tells. */
async function readAtMost(file: FileHandle, shown: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    const chunk = Buffer.alloc(64 * 1024);
    const { bytesRead } = await file.read(chunk, 0, chunk.length);
    if (bytesRead === 0) return Buffer.concat(chunks);
    size += bytesRead;
    if (size > maxBytes) throw tooLarge(shown, size);
    chunks.push(chunk.subarray(0, bytesRead));
  }
}

function kindOf(stat: Stats): string {
  if (stat.isDirectory()) return 'a folder';
  if (stat.isFIFO()) return 'a named pipe';
  if (stat.isSocket()) return 'a socket';
  return 'a device';
}

function refused(path: string, what: string): InputError {
  return new InputError(`${path} ${what}.`, `Put a text file named ${basename(path)} there, and run the command again.`);
}

function tooLarge(path: string, size: number): InputError {
  const [is, most] = [size, maxBytes].map((bytes) => Math.ceil(bytes / 1024 / 1024));
  return new InputError(
    `${path} is too large: ${is} MiB, and at most ${most} MiB are read.`,
    'Keep in it what the sprint needs, and put the rest into files of the repository, which agents can read.',
  );
}

function unreadable(path: string, error: unknown): InputError {
  const code = codeOf(error) ?? 'no reason was given';
  const why = code === 'EACCES' || code === 'EPERM' ? 'its permissions do not allow it' : code;
  return new InputError(`${path} cannot be read: ${why}.`, 'See that you may read it (ls -l shows who may), and run the command again.');
}
