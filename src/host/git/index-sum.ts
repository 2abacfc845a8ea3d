/** Tells whether the index and the commit below it are still the same, without a process. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { Git } from './git.ts';
import { headOf } from './loose-ref.ts';

/**
 * The commit, and the checksum of the index: it is the end of git's file (gitformat-index).
 * @returns undefined where the index has none (`index.skipHash`), or cannot be read.
 */
export async function indexSum(git: Git, gitCommonDir: string): Promise<string | undefined> {
  if (git.at.gitDir === undefined) return undefined;
  const sum = lastBytes(join(git.at.gitDir, 'index'), sumBytes);
  return sum === undefined || sum.every((byte) => byte === 0) ? undefined : `${await headOf(git, gitCommonDir)} ${sum.toString('hex')}`;
}

/** Of SHA-1. Of SHA-256 these are the last bytes, which do as well. */
const sumBytes = 20;

/** Small synchronous reads, each of which is faster than a call on another thread. */
function lastBytes(path: string, count: number): Buffer | undefined {
  try {
    const file = openSync(path, 'r');
    try {
      const buffer = Buffer.alloc(count);
      return readSync(file, buffer, 0, count, Math.max(fstatSync(file).size - count, 0)) === count ? buffer : undefined;
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}
