/**
 * Real pipes for commands' output. Node gives children sockets, on which `echo x >/dev/stderr` fails; one pipe for both
 * streams also keeps them in the order they were written. They are made some at a time, wait without a name, and are used
 * again once nobody can write to them: a file system that makes and forgets names all the time is slow at it.
 */
import { execFile } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface Pipe {
  reader: Socket;
  /** To be given to the child, then closed. */
  writer: number;
  /** Gives it back. @param drained whether all that could write to it have ended. */
  done(drained: boolean): void;
}

/** Descriptors that stand for a pipe without being an end of it. */
const waiting: number[] = [];
let making: Promise<void> | undefined;

/** @param mkfifo the program that makes them. */
export async function openPipe(mkfifo: string): Promise<Pipe> {
  for (;;) {
    const pipe = waiting.pop();
    const opened = pipe === undefined ? undefined : open(pipe);
    if (opened) return opened;
    if (pipe === undefined) await (making ??= makeMore(mkfifo).finally(() => (making = undefined)));
  }
}

/** Undefined for one that its last user left so that it cannot be opened. */
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
    if (drained) waiting.push(pipe);
    else closeSync(pipe);
  };
  return { reader, writer, done };
}

const AT_A_TIME = 16;
/** Linux's; Node has no name for it. */
const O_PATH = 0o10000000;

async function makeMore(mkfifo: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'loop-'));
  try {
    const paths = Array.from({ length: AT_A_TIME }, (_, n) => join(folder, String(n)));
    await promisify(execFile)(mkfifo, ['-m', '600', ...paths]);
    for (const path of paths) waiting.push(openSync(path, O_PATH));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
