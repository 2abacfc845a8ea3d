/**
 * Real pipes for commands' output. Node gives children sockets, on which `echo x >/dev/stderr` fails; one pipe for both
 * streams also keeps them in the order they were written. Each is for one run. They are made some at a time, since starting
 * `mkfifo` takes as long as starting a sandbox, and wait without a name, as two open ends.
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
}

const ready: Ends[] = [];
let making: Promise<void> | undefined;

/** @param mkfifo the program that makes them. */
export async function openPipe(mkfifo: string): Promise<Pipe> {
  for (;;) {
    const ends = ready.pop();
    // In time, so that no run has to wait for them; one that does is told why there are none.
    if (ready.length < FEW) more(mkfifo).catch(() => undefined);
    if (ends) return { reader: new Socket({ fd: ends.reader, readable: true, writable: false }), writer: ends.writer };
    await more(mkfifo);
  }
}

function more(mkfifo: string): Promise<void> {
  return (making ??= makeMore(mkfifo).finally(() => (making = undefined)));
}

/** Two descriptors, which no child inherits unless it is given one. */
interface Ends {
  reader: number;
  writer: number;
}

const AT_A_TIME = 32;
const FEW = 12;

async function makeMore(mkfifo: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'loop-'));
  try {
    const paths = Array.from({ length: AT_A_TIME }, (_, n) => join(folder, String(n)));
    await promisify(execFile)(mkfifo, ['-m', '600', ...paths]);
    for (const path of paths) ready.push(open(path));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function open(path: string): Ends {
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return { reader, writer: openSync(path, constants.O_WRONLY) };
  } catch (error) {
    closeSync(reader);
    throw error;
  }
}
