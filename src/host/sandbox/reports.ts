/**
 * The folder in which a verification may leave reports of test frameworks. Its files are evidence, but code under test wrote
 * them. So only a few regular files of limited size are read, and no link is followed.
 */
import { closeSync, constants, fstatSync, lstatSync, mkdtempSync, openSync, readdirSync, readSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ifThere } from '../disk.ts';
import { Spares } from './spares.ts';

/** The folder's path inside the sandbox. */
export const reportsDir = '/run/reports';

const folders = new Spares(() => Promise.resolve({ path: mkdtempSync(join(tmpdir(), 'loop-reports-')) }));

/** Gives `use` an empty folder of the host, and removes everything from it afterwards. */
export function withReports<T>(use: (folder: string) => Promise<T>): Promise<T> {
  return folders.lend(({ path }) => use(path));
}

const mostFiles = 20;
/** Bytes. */
const fileLimit = 2 * 1024 * 1024;
const sumLimit = 6 * 1024 * 1024;

/** The texts of the files in a folder, sorted by name. Text beyond the limits is cut off. */
export function readReports(folder: string): string[] {
  let room = sumLimit;
  return namesIn(folder)
    .sort()
    .slice(0, mostFiles)
    .flatMap((name) => {
      const text = readPlain(join(folder, name), Math.min(fileLimit, room));
      room -= Buffer.byteLength(text ?? '');
      return text === undefined || text === '' ? [] : [text];
    });
}

/** The text of a regular file; undefined for anything else. It neither follows a link nor waits for a pipe. */
export function readPlain(path: string, limit: number): string | undefined {
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      if (!fstatSync(fd).isFile()) return undefined;
      const bytes = Buffer.alloc(Math.min(limit, fstatSync(fd).size));
      return bytes.toString('utf8', 0, readSync(fd, bytes, 0, bytes.length, 0));
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined; // its permissions forbid it
  }
}

const mostEntries = 2000;

/** Bytes that a folder uses on the disk; Infinity where it holds too many entries, or one of its folders cannot be read. */
export function bytesIn(folder: string): number {
  const waiting = [folder];
  let sum = 0;
  try {
    for (let count = 0; waiting.length > 0; count += 1) {
      if (count > mostEntries) return Infinity;
      const path = waiting.pop() ?? '';
      const stat = ifThere(() => lstatSync(path));
      sum += (stat?.blocks ?? 0) * 512;
      if (stat?.isDirectory()) for (const name of ifThere(() => readdirSync(path)) ?? []) waiting.push(join(path, name));
    }
  } catch {
    return Infinity;
  }
  return sum;
}

/** Empty where the run made the folder unreadable, or put something else in its place. */
export function namesIn(folder: string): string[] {
  try {
    return lstatSync(folder).isDirectory() ? readdirSync(folder) : [];
  } catch {
    return [];
  }
}
