/**
 * The paths that the index holds, from git's own file of it (gitformat-index), which saves a process. Git is asked where that is
 * not enough: no file, another version or hash, an index that is split or sparse.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from './git.ts';

/** In any order; one that conflicts may be there more than once. */
export async function trackedPaths(git: Git): Promise<string[]> {
  const { gitDir } = git.at;
  const index = gitDir === undefined ? undefined : await readFile(join(gitDir, 'index')).catch(() => undefined);
  return (index && pathsIn(index)) ?? git.list(['ls-files', '-z']);
}

const headBytes = 12;
/** Of an entry: what the file system says, and the object's SHA-1. */
const entryBytes = 60;
const sumBytes = 20;
const extended = 0x4000;

/** Undefined where these bytes may not tell all. The checksum proves that they are whole, and that objects are named by SHA-1. */
function pathsIn(index: Buffer): string[] | undefined {
  const end = index.length - sumBytes;
  if (end < headBytes || index.toString('latin1', 0, 4) !== 'DIRC' || ![2, 3].includes(index.readUInt32BE(4))) return undefined;
  if (!createHash('sha1').update(index.subarray(0, end)).digest().equals(index.subarray(end))) return undefined;
  const paths: string[] = [];
  let at = headBytes;
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    const flags = at + entryBytes;
    const from = flags + ((index.readUInt16BE(flags) & extended) === 0 ? 2 : 4);
    const to = index.indexOf(0, from);
    paths.push(index.toString('utf8', from, to));
    // One to eight zeros fill it up to a multiple of eight bytes.
    at += (to - at + 8) & ~7;
  }
  for (; at < end; at += 8 + index.readUInt32BE(at + 4)) if (!isOptional(index.readUInt8(at))) return undefined;
  return paths;
}

/** An extension whose name begins with a capital letter changes nothing of what the entries mean. */
function isOptional(first: number): boolean {
  return first >= 0x41 && first <= 0x5a;
}
