/**
 * The folder in which a verification may leave reports of test frameworks. Its files are evidence and hostile until parsed:
 * few, of bounded size, regular, and no link among them is followed.
 */
import { closeSync, constants, fstatSync, lstatSync, mkdtempSync, openSync, readdirSync, readSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ifThere } from '../disk.ts';
import { removeFolder } from '../git/remove-folder.ts';

/** Inside. */
export const REPORTS_DIR = '/run/reports';

/**
 * What a verification finds in its environment. pytest reads options there and goes on printing as before; no other framework
 * can be told without changing what it prints, or breaking a call that says the same.
 */
export const reportsEnv: Readonly<Record<string, string>> = {
  REPORTS_DIR,
  PYTEST_ADDOPTS: `--junitxml=${REPORTS_DIR}/pytest.xml -o junit_family=xunit1`,
};

/** Gives `use` an empty folder of the host, in which afterwards nothing is left, whatever was put into it. */
export async function withReports<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = (await takeSpare()) ?? made();
  users += 1;
  try {
    return await use(folder.path);
  } finally {
    users -= 1;
    if (isUntouched(folder)) spare.push(folder);
    else await remove(folder);
    if (users === 0) for (const left of spare.splice(0)) await remove(left);
  }
}

interface Folder {
  path: string;
  /** When it was last changed in any way, nanoseconds. */
  changed: bigint;
}

/** Folders that nobody touched serve again: making one costs more the more were made just before. None outlives the last run. */
const spare: Folder[] = [];
let users = 0;

async function takeSpare(): Promise<Folder | undefined> {
  for (let folder = spare.pop(); folder; folder = spare.pop()) {
    if (isUntouched(folder)) return folder;
    await remove(folder);
  }
  return undefined;
}

function made(): Folder {
  const path = mkdtempSync(join(tmpdir(), 'loop-reports-'));
  return { path, changed: changedAt(path) ?? 0n };
}

function isUntouched({ path, changed }: Folder): boolean {
  return changedAt(path) === changed;
}

/** undefined where it is gone: whoever tidies up temporary files may take it. */
function changedAt(path: string): bigint | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ctimeNs;
}

async function remove({ path }: Folder): Promise<void> {
  try {
    rmdirSync(path);
  } catch {
    await removeFolder(path);
  }
}

const mostFiles = 20;
/** Bytes. */
const fileLimit = 2 * 1024 * 1024;
const sumLimit = 6 * 1024 * 1024;

/** The texts of the files that lie in it, by name; what is larger is cut off. */
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

function readPlain(path: string, limit: number): string | undefined {
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
    return undefined; // its permissions keep it closed
  }
}

const mostEntries = 2000;

/** Bytes that a folder takes on the disk; Infinity where too much lies in it to be counted, or it keeps others from counting. */
export function bytesIn(folder: string): number {
  const waiting = [folder];
  let sum = 0;
  try {
    for (let seen = 0; waiting.length > 0; seen += 1) {
      if (seen > mostEntries) return Infinity;
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

/** None where the folder was closed. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
