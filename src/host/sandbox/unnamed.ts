/**
 * Files without a name, which pass texts to a sandbox and its status back. A file is complete when its writer has ended, and
 * it costs less than a pipe, for which Node makes two sockets and a stream. Most sandboxes get the same texts as the one
 * before, so files are kept and opened again.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, ftruncateSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Descriptors by text, least recently used first. */
const kept = new Map<string, number>();
const maxKept = 64;

/** A read-only descriptor at the beginning of a file with this text; the caller closes it. */
export function openText(text: string): number {
  const fd = kept.get(text) ?? unnamed(text);
  kept.delete(text);
  kept.set(text, fd);
  if (kept.size > maxKept) forgetOldest();
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

/** A descriptor of an empty file to which a child may write; the caller gives it back. */
export function takeBlank(): number {
  return blank.pop() ?? unnamed('');
}

/** Must be called only when no process can write to it any more. */
export function giveBack(fd: number): void {
  ftruncateSync(fd);
  blank.push(fd);
}

/** Large enough for bubblewrap's status, which has a few lines. */
const buffer = Buffer.alloc(4096);

/** The text that a child has written so far. */
export function readWritten(fd: number): string {
  return buffer.toString('utf8', 0, readSync(fd, buffer, 0, buffer.length, 0));
}

/** Opened to append, so every write goes to the end. */
function unnamed(text: string): number {
  const path = join(tmpdir(), `loop-${randomUUID()}`);
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
    return openSync(path, 'a+');
  } finally {
    rmSync(path, { force: true });
  }
}
