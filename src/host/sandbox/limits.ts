/**
 * How much one run may use. The kernel limits each process. No kernel limit covers the sandbox as a whole, so that is sampled.
 * A run that exceeds a limit is killed with all its processes.
 */
import { existsSync, readdirSync, readFileSync, statfsSync } from 'node:fs';
import { totalmem } from 'node:os';
import { clip } from '../../engine/ground/text.ts';
import { textAt } from '../peek.ts';
import { programDir } from './layout.ts';
import { bytesIn } from './reports.ts';

export interface Limits {
  /** Bytes of output that are kept. */
  kept: number;
  /** Bytes of output after which the run is killed. */
  written: number;
  /** Bytes of memory that all processes use together. The kernel bounds only what each reserves, and sanitizers reserve terabytes. */
  memory: number;
  /** Bytes of one file. */
  file: number;
  processes: number;
  /** Bytes of one temporary folder. It uses memory. */
  temporary: number;
  /** Bytes of all reports together. */
  reports: number;
  /** Bytes that must stay free on the disk of the tree and its views. */
  free: number;
  /** Milliseconds in which whatever comes late on a busy machine has come: who waits for longer, and does nothing, hangs. */
  late: number;
}

const KiB = 1024;
const MiB = 1024 * KiB;
const GiB = 1024 * MiB;

export function defaultLimits(total = memoryOf(totalmem(), process.constrainedMemory())): Limits {
  return {
    kept: 16 * MiB,
    written: GiB,
    memory: Math.floor(total * 0.75),
    file: 4 * GiB,
    processes: 1024,
    temporary: Math.min(4 * GiB, Math.floor(total / 4)),
    reports: 64 * MiB,
    free: 256 * MiB,
    late: 10_000,
  };
}

/** @param container what a container that Loop runs in may use; 0, or more than the machine has, where nothing bounds it. */
export function memoryOf(machine: number, container: number): number {
  return container > 0 ? Math.min(machine, container) : machine;
}

/**
 * The kernel counts threads as processes, and a browser has hundreds of them. Since Linux 5.14 it counts each sandbox alone.
 * It never limits root (docs/decisions/0021).
 */
const threadsPerProcess = 8;

/** As in a usual shell. Node.js raises its own to what root allows, and work that forgets to close files would be green by it. */
const openFiles = 1024;

/**
 * Sets the kernel's limits and what a shell of another person may have otherwise, makes the sandbox the first victim of the
 * out-of-memory killer, and then becomes the program.
 */
export function limited(argv: string[], limits: Limits): string[] {
  const tasks = limits.processes * threadsPerProcess;
  const script = [
    'umask 022',
    'ulimit -c 0',
    `ulimit -S -n ${openFiles} 2>/dev/null || :`,
    `ulimit -f ${Math.ceil(limits.file / 512)}`,
    `ulimit -u ${tasks} 2>/dev/null || ulimit -p ${tasks} 2>/dev/null || :`,
    'echo 500 2>/dev/null >/proc/self/oom_score_adj',
    'exec "$@"',
  ].join('\n');
  return ['/bin/sh', '-c', script, 'sh', ...argv];
}

export type Excess = 'flood' | 'processes' | 'memory' | 'disk' | 'reports';

/** Folders of the host that a run may write. */
export interface WritableFolders {
  /** A folder on the disk that takes what is written into the tree; its free space is sampled. */
  disk: string;
  reports: string;
}

/** Which limit a run exceeds now. @param init process id, on the host, of the first process in its namespace. */
export function excessOf(init: number, { disk, reports }: WritableFolders, limits: Limits): Excess | undefined {
  if (freeOn(disk) < limits.free) return 'disk';
  if (bytesIn(reports) > limits.reports) return 'reports';
  const processes = processesIn(init);
  if (processes.length > limits.processes) return 'processes';
  return usesMore(processes, limits.memory) ? 'memory' : undefined;
}

/** What processes share since a fork is counted once, which takes the kernel longer to tell: so only where it would be too much. */
function usesMore(processes: readonly string[], memory: number): boolean {
  const sumOf = (bytes: (folder: string) => number): number => processes.reduce((sum, folder) => sum + bytes(folder), 0);
  return sumOf(privateBytes) > memory && sumOf((folder) => ownShare(folder) ?? privateBytes(folder)) > memory;
}

/** Bytes. Infinity where the folder is gone: the program that runs there then fails by itself. */
function freeOn(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Infinity;
  }
}

/** The folders of all processes in a sandbox, in its own /proc. Empty until its root is mounted. */
export function processesIn(init: number): string[] {
  const root = `/proc/${init}/root`;
  if (!existsSync(`${root}${programDir}`)) return [];
  try {
    const names = readdirSync(`${root}/proc`).filter((name) => /^\d+$/.test(name));
    return names.map((pid) => `${root}/proc/${pid}`);
  } catch {
    return [];
  }
}

/** What runs in a sandbox besides Loop's own programs, one line each, in the order in which it began. */
export function commandsIn(init: number): string[] {
  const all = processesIn(init).toSorted((a, b) => idOf(a) - idOf(b));
  return all.flatMap((folder) => {
    const words = commandLineOf(folder);
    return words === '' || isLoops(words) ? [] : [clip(words, longestCommand)];
  });
}

const longestCommand = 100;

function idOf(folder: string): number {
  return Number(folder.slice(folder.lastIndexOf('/') + 1));
}

function commandLineOf(folder: string): string {
  try {
    return readFileSync(`${folder}/cmdline`, 'utf8').split('\0').filter(Boolean).join(' ').replaceAll(/\s+/g, ' ');
  } catch {
    return '';
  }
}

/** The sandbox itself, and what begins the script or stands between it and the network. */
function isLoops(words: string): boolean {
  return /(^|\/)bwrap /.test(words) || words.includes(`${programDir}/`) || words.includes('/run/tools/');
}

const pageSize = 4 * KiB;

/** Bytes of resident pages that belong to no file. Counts too little on a kernel whose pages are larger than 4 KiB. */
function privateBytes(folder: string): number {
  const [, resident = 0, shared = 0] = textAt(`${folder}/statm`).split(' ').map(Number);
  return (resident - shared) * pageSize;
}

/** The same, but of a page that several processes have only a part each. Undefined before Linux 5.3, or where it may not be seen. */
function ownShare(folder: string): number | undefined {
  const share = /^Pss_Anon:\s+(\d+) kB$/m.exec(textAt(`${folder}/smaps_rollup`))?.[1];
  return share === undefined ? undefined : Number(share) * KiB;
}

/** One line that is added to the output of a run whose time ran out. @param seconds in which nothing in it did anything, if it hung. */
export function describeTimeout(still: readonly string[], seconds: number | undefined): string {
  const shown = still.slice(0, mostCommands).join('; ');
  const more = still.length > mostCommands ? ` and ${still.length - mostCommands} more` : '';
  const ran = still.length > 0 ? `there still ran: ${shown}${more}` : '';
  const hung = seconds === undefined ? '' : `nothing in it did anything for the last ${seconds} s`;
  const words = [hung, ran].filter(Boolean).join(', and ');
  return words === '' ? '' : `[loop: its time ran out; ${words}]`;
}

const mostCommands = 5;

/** One line that is added to the run's output. */
export function describeExcess(excess: Excess | 'slow' | 'early', limits: Limits): string {
  if (excess === 'early')
    return '[loop: it ended with status 0 before the script had reached its end, so that counts for nothing: run the work in a process of its own]';
  const reason = {
    flood: `it wrote more than ${limits.written} bytes of output`,
    processes: `it ran more than ${limits.processes} processes at once`,
    memory: `it used more than ${limits.memory} bytes of memory`,
    reports: `it wrote more than ${limits.reports} bytes of reports, too many files, or a folder that cannot be read`,
    disk: `less than ${limits.free} bytes are free on the disk`,
    slow: 'the machine was so busy that it got hardly any time',
  }[excess];
  return `[loop: killed, because ${reason}]`;
}
