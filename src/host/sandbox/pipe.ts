/**
 * Real pipes for the output of commands. Node gives a child sockets, on which `echo x >/dev/stderr` fails. One pipe for both
 * streams also keeps the order of writing. Pipes are created in batches, have no name, and are used again when no process can
 * write to them, because a file system that creates and removes names all the time is slow.
 */
import { execFile } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface Pipe {
  reader: Socket;
  /** Descriptor for the child; the caller closes it after the start. */
  writer: number;
  /** Gives the pipe back. @param drained whether all processes that could write to it have ended. */
  done(drained: boolean): void;
}

/** `O_PATH` descriptors of free pipes: each keeps its pipe alive and is neither a reader nor a writer. */
const free: number[] = [];
let making: Promise<void> | undefined;

/** @param mkfifo path of the program that creates pipes. */
export async function openPipe(mkfifo: string): Promise<Pipe> {
  for (;;) {
    const pipe = free.pop();
    const opened = pipe === undefined ? undefined : open(pipe);
    if (opened) return opened;
    if (pipe === undefined) await (making ??= makeMore(mkfifo).finally(() => (making = undefined)));
  }
}

/** Undefined where the last user changed the pipe's permissions. */
function open(pipe: number): Pipe | undefined {
  const ends: number[] = [];
  try {
    for (const flags of [constants.O_RDONLY | constants.O_NONBLOCK, constants.O_WRONLY])
      ends.push(openSync(`/proc/self/fd/${pipe}`, flags));
  } catch {
    for (const fd of [...ends, pipe]) closeSync(fd);
    return undefined;
  }
  const [fd = -1, writer = -1] = ends;
  const reader = new Socket({ fd, readable: true, writable: false });
  const done = (drained: boolean): void => {
    reader.destroy();
    if (drained) free.push(pipe);
    else closeSync(pipe);
  };
  return { reader, writer, done };
}

const batchSize = 16;
/** Linux's `O_PATH`, for which Node has no name. */
const oPath = 0o10000000;

async function makeMore(mkfifo: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'loop-'));
  try {
    const paths = Array.from({ length: batchSize }, (_, n) => join(folder, String(n)));
    await promisify(execFile)(mkfifo, ['-m', '600', ...paths]);
    for (const path of paths) free.push(openSync(path, oPath));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
