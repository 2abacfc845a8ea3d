/**
 * A real pipe for a command's output. Node gives children sockets, on which `echo x >/dev/stderr` fails; one pipe for both
 * streams also keeps them in the order they were written.
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

/** @param mkfifo the program that makes one. */
export async function openPipe(mkfifo: string): Promise<Pipe> {
  const folder = mkdtempSync(join(tmpdir(), 'loop-'));
  try {
    const path = join(folder, 'output');
    await promisify(execFile)(mkfifo, ['-m', '600', path]);
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return { writer: openSync(path, constants.O_WRONLY), reader: new Socket({ fd, readable: true, writable: false }) };
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
