/**
 * Files without a name, by which a sandbox is handed texts and tells its state. A file is all there when its writer has
 * ended, and costs less than a pipe, which to Node is two sockets and a stream. What a sandbox is handed is mostly what one
 * before it was: texts are kept, and opened anew.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, ftruncateSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** By text, the one that was asked for last at the end. */
const kept = new Map<string, number>();
const MOST = 64;

/** A descriptor at the beginning of a file with this text, only to be read; the caller closes it. */
export function openText(text: string): number {
  const fd = kept.get(text) ?? unnamed(text);
  kept.delete(text);
  kept.set(text, fd);
  if (kept.size > MOST) forgetOldest();
  return openSync(`/proc/self/fd/${fd}`, 'r');
}

function forgetOldest(): void {
  for (const [text, fd] of kept) {
    kept.delete(text);
    closeSync(fd);
    return;
  }
}

const blank: number[] = [];

/** A descriptor of an empty file to which a child may write, to be given back. */
export function takeBlank(): number {
  return blank.pop() ?? unnamed('');
}

/** Once nobody can write to it any more. */
export function giveBack(fd: number): void {
  ftruncateSync(fd);
  blank.push(fd);
}

/** Of what a child tells, the first bytes; it says no more than a few lines. */
const told = Buffer.alloc(4096);

/** What a child has written so far. */
export function readWritten(fd: number): string {
  return told.toString('utf8', 0, readSync(fd, told, 0, told.length, 0));
}

/** Whoever writes to it writes at its end. */
function unnamed(text: string): number {
  const path = join(tmpdir(), `loop-${randomUUID()}`);
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
    return openSync(path, 'a+');
  } finally {
    rmSync(path, { force: true });
  }
}
