/**
 * Finds the process that holds a TCP port of this machine. A sandbox whose engine is dead may be ended: its process id and
 * start time are on record. Any other process is named and left alone.
 */
import { mkdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pieceOf } from '../../engine/ground/text.ts';
import { namesIn, textAt } from '../peek.ts';

/** A process. The start time tells it from a later process with the same id. */
interface Process {
  pid: number;
  /** Start time in clock ticks since the computer started. */
  begun: string;
}

/** Writes a record of a sandbox into a folder. @returns a function that removes the record. */
export function remember(folder: string, pid: number | undefined, owner: number = process.pid): () => void {
  const sandbox = processOf(pid);
  if (!sandbox) return () => undefined;
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${sandbox.pid}-${sandbox.begun}`);
  writeFileSync(file, JSON.stringify({ sandbox, owner: processOf(owner) ?? null }));
  return () => rmSync(file, { force: true });
}

/** The id of the process that listens on a port; undefined where there is none, or this user may not see it. */
export function holderOf(port: number): number | undefined {
  const sockets = new Set(['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) => listeners(textAt(table), port)));
  if (sockets.size === 0) return undefined;
  return numericNames('/proc').find((pid) => openFilesOf(pid).some((file) => sockets.has(file)));
}

/** Ends the sandbox that a process runs in, if it is Loop's and its engine is dead. @returns whether the process is gone. */
export async function endIfOurs(folder: string, pid: number): Promise<boolean> {
  const lineage = withAncestors(pid);
  for (const { file, sandbox, owner } of readRecords(folder)) {
    if (!isAlive(sandbox) || !lineage.includes(sandbox.pid) || (owner && isAlive(owner))) continue;
    process.kill(sandbox.pid, 'SIGKILL');
    for (let tries = 0; tries < 100 && processOf(pid); tries++) await delay(10);
    rmSync(file, { force: true });
    return processOf(pid) === undefined;
  }
  return false;
}

/** `process 123 (node server.js)`. */
export function holderWords(pid: number): string {
  const command = pieceOf(textAt(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim(), 0, 80);
  return `process ${pid}${command === '' ? '' : ` (${command})`}`;
}

/** Reads a kernel table of sockets. @returns `socket:[inode]` of each that listens on the port. */
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

function readRecords(folder: string): Recorded[] {
  return namesIn(folder).flatMap((name) => {
    try {
      const file = join(folder, name);
      return [{ file, ...(JSON.parse(readFileSync(file, 'utf8')) as Omit<Recorded, 'file'>) }];
    } catch {
      return []; // it is half written, or was removed at this moment
    }
  });
}

export function isAlive({ pid, begun }: Process): boolean {
  return processOf(pid)?.begun === begun;
}

/** Undefined where the process is gone. */
export function processOf(pid: number | undefined): Process | undefined {
  const [, rest] = /^\d+ \(.*\) ([^]*)$/.exec(pid === undefined ? '' : textAt(`/proc/${pid}/stat`)) ?? [];
  const fields = rest?.split(' ') ?? [];
  const [state, begun] = [fields[0], fields[19]];
  return pid === undefined || begun === undefined || state === 'Z' ? undefined : { pid, begun };
}

/** The ids of a process, its parent, and so on. */
function withAncestors(pid: number): number[] {
  const parent = Number(/^PPid:\s*(\d+)/m.exec(textAt(`/proc/${pid}/status`))?.[1] ?? 0);
  return [pid, ...(parent > 1 ? withAncestors(parent) : [])];
}

function openFilesOf(pid: number): string[] {
  return namesIn(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
    } catch {
      return [];
    }
  });
}

function numericNames(folder: string): number[] {
  return namesIn(folder)
    .map(Number)
    .filter((n) => Number.isInteger(n));
}
