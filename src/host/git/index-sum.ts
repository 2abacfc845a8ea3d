/** Tells whether the index and the commit below it are still the same, without a process. */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from './git.ts';
import { headOf } from './loose-ref.ts';

/**
 * The commit, and the checksum of the index: it is the end of git's file (gitformat-index).
 * @returns undefined where the index has none (`index.skipHash`), or cannot be read.
 */
export async function indexSum(git: Git, gitCommonDir: string): Promise<string | undefined> {
  if (git.at.gitDir === undefined) return undefined;
  const sum = await lastBytes(join(git.at.gitDir, 'index'), sumBytes).catch(() => undefined);
  return sum === undefined || sum.every((byte) => byte === 0) ? undefined : `${await headOf(git, gitCommonDir)} ${sum.toString('hex')}`;
}

/** Of SHA-1. Of SHA-256 these are the last bytes, which do as well. */
const sumBytes = 20;

async function lastBytes(path: string, count: number): Promise<Buffer | undefined> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const { bytesRead, buffer } = await file.read(Buffer.alloc(count), 0, count, Math.max(size - count, 0));
    return bytesRead === count ? buffer : undefined;
  } finally {
    await file.close();
  }
}
