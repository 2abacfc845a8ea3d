/**
 * Who holds a TCP port of this machine, where a service shares its network. A sandbox of an engine that is dead is ours to
 * end: its process id and start time were written down. Whoever else it is is named and left alone.
 */
import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** A process, told from a later one with the same number by when it began. */
interface Process {
  pid: number;
  /** Clock ticks since the computer started. */
  begun: string;
}

/** Writes down a sandbox of this process in a folder. @returns what strikes it out when the sandbox is gone. */
export function remember(folder: string, pid: number | undefined, owner: number = process.pid): () => void {
  const sandbox = lookAt(pid);
  if (!sandbox) return () => undefined;
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${sandbox.pid}-${sandbox.begun}`);
  writeFileSync(file, JSON.stringify({ sandbox, owner: lookAt(owner) ?? null }));
  return () => rmSync(file, { force: true });
}

/** The process that listens on a port, if it may be seen. */
export function holderOf(port: number): number | undefined {
  const sockets = new Set(['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) => listeners(readText(table), port)));
  if (sockets.size === 0) return undefined;
  return numbered('/proc').find((pid) => filesOf(pid).some((file) => sockets.has(file)));
}

/** Ends the sandbox that a process is in, if it is ours and its engine is gone. @returns whether it was. */
export async function endIfOurs(folder: string, pid: number): Promise<boolean> {
  const line = ancestors(pid);
  for (const { file, sandbox, owner } of records(folder)) {
    if (!isSame(sandbox) || !line.includes(sandbox.pid) || (owner && isSame(owner))) continue;
    process.kill(sandbox.pid, 'SIGKILL');
    for (let tries = 0; tries < 100 && lookAt(pid); tries++) await delay(10);
    rmSync(file, { force: true });
    return lookAt(pid) === undefined;
  }
  return false;
}

/** `process 123 (node server.js)`. */
export function holderWords(pid: number): string {
  const command = readText(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim().slice(0, 80);
  return `process ${pid}${command === '' ? '' : ` (${command})`}`;
}

/** `socket:[inode]` of each that listens on the port, out of a table of the kernel's. */
export function listeners(table: string, port: number): string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  return table.split('\n').flatMap((line) => {
    const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
    return local?.endsWith(`:${wanted}`) && state === '0A' ? [`socket:[${inode}]`] : [];
  });
}

interface Recorded {
  file: string;
  sandbox: Process;
  owner: Process | null;
}

function records(folder: string): Recorded[] {
  return names(folder).flatMap((name) => {
    try {
      const file = join(folder, name);
      return [{ file, ...(JSON.parse(readFileSync(file, 'utf8')) as Omit<Recorded, 'file'>) }];
    } catch {
      return []; // half of it was written, or it was struck out at this moment
    }
  });
}

function isSame({ pid, begun }: Process): boolean {
  return lookAt(pid)?.begun === begun;
}

/** Undefined where it is gone. */
function lookAt(pid: number | undefined): Process | undefined {
  const [, rest] = /^\d+ \(.*\) ([^]*)$/.exec(pid === undefined ? '' : readText(`/proc/${pid}/stat`)) ?? [];
  const fields = rest?.split(' ') ?? [];
  const [state, begun] = [fields[0], fields[19]];
  return pid === undefined || begun === undefined || state === 'Z' ? undefined : { pid, begun };
}

/** A process, its parent, and so on. */
function ancestors(pid: number): number[] {
  const parent = Number(/^PPid:\s*(\d+)/m.exec(readText(`/proc/${pid}/status`))?.[1] ?? 0);
  return [pid, ...(parent > 1 ? ancestors(parent) : [])];
}

function filesOf(pid: number): string[] {
  return names(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
    } catch {
      return [];
    }
  });
}

function numbered(folder: string): number[] {
  return names(folder)
    .map(Number)
    .filter((n) => Number.isInteger(n));
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
