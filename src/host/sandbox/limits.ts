/**
 * How much one run may use (T9). The kernel's limits bind each process; what they cannot see, the sandbox as a whole, is
 * sampled while it runs. A run that goes beyond is killed with all its processes.
 */
import { existsSync, readdirSync, readFileSync, statfsSync } from 'node:fs';
import { totalmem } from 'node:os';
import { PROGRAM_DIR } from './layout.ts';
import { bytesIn } from './reports.ts';

export interface Limits {
  /** Bytes of output that are kept. */
  kept: number;
  /** Bytes of output after which it is a flood. */
  written: number;
  /** Bytes of memory: of one process's data, and of all together. */
  memory: number;
  /** Bytes of one file. */
  file: number;
  processes: number;
  /** Bytes of a temporary folder, which lies in memory. */
  temporary: number;
  /** Bytes of all reports together. */
  reports: number;
  /** Bytes that must stay free on the tree's disk. */
  free: number;
}

const KiB = 1024;
const MiB = 1024 * KiB;
const GiB = 1024 * MiB;

export function defaultLimits(total = totalmem()): Limits {
  return {
    kept: 16 * MiB,
    written: GiB,
    memory: Math.floor(total * 0.75),
    file: 4 * GiB,
    processes: 1024,
    temporary: Math.min(4 * GiB, Math.floor(total / 4)),
    reports: 64 * MiB,
    free: 256 * MiB,
  };
}

/**
 * Threads count as processes to the kernel, and a browser has hundreds. Since Linux 5.14 it counts those of one sandbox
 * alone; it never counts root's (docs/decisions/0021).
 */
const THREADS_A_PROCESS = 8;

/** Sets the kernel's limits, makes the sandbox the first choice of the out-of-memory killer, and becomes the program. */
export function limited(argv: string[], limits: Limits): string[] {
  const tasks = limits.processes * THREADS_A_PROCESS;
  const script = [
    'ulimit -c 0',
    `ulimit -f ${Math.ceil(limits.file / 512)}`,
    `ulimit -d ${Math.ceil(limits.memory / KiB)}`,
    `ulimit -u ${tasks} 2>/dev/null || ulimit -p ${tasks} 2>/dev/null || :`,
    'echo 500 2>/dev/null >/proc/self/oom_score_adj',
    'exec "$@"',
  ].join('\n');
  return ['/bin/sh', '-c', script, 'sh', ...argv];
}

export type Excess = 'flood' | 'processes' | 'memory' | 'disk' | 'reports';

/** The folders of the host that a run may write. */
export interface WritableFolders {
  /** The tree's root, whose disk is watched. */
  tree: string;
  reports: string;
}

/** What a sampled run has too much of. @param init the first process of its namespace, as the host numbers it. */
export function excessOf(init: number, { tree, reports }: WritableFolders, limits: Limits): Excess | undefined {
  if (freeOn(tree) < limits.free) return 'disk';
  if (bytesIn(reports) > limits.reports) return 'reports';
  const processes = processesIn(init);
  if (processes.length > limits.processes) return 'processes';
  const memory = processes.reduce((sum, statm) => sum + privateBytes(statm), 0);
  return memory > limits.memory ? 'memory' : undefined;
}

/** Bytes; all there are where somebody took the tree away: what runs there will tell. */
function freeOn(tree: string): number {
  try {
    const { bavail, bsize } = statfsSync(tree);
    return bavail * bsize;
  } catch {
    return Infinity;
  }
}

/** The `statm` files of a sandbox, seen through its own /proc; none until its root is in place. */
function processesIn(init: number): string[] {
  const root = `/proc/${init}/root`;
  if (!existsSync(`${root}${PROGRAM_DIR}`)) return [];
  try {
    const names = readdirSync(`${root}/proc`).filter((name) => /^\d+$/.test(name));
    return names.map((pid) => `${root}/proc/${pid}/statm`);
  } catch {
    return [];
  }
}

const PAGE = 4 * KiB;

/** Resident pages that belong to no file; pages are taken as 4 KiB, so larger ones are undercounted. */
function privateBytes(statm: string): number {
  try {
    const [, resident, shared] = readFileSync(statm, 'utf8').split(' ').map(Number);
    return ((resident ?? 0) - (shared ?? 0)) * PAGE;
  } catch {
    return 0;
  }
}

/** One line for whoever reads the output. */
export function describeExcess(excess: Excess, limits: Limits): string {
  const what = {
    flood: `it wrote more than ${limits.written} bytes of output`,
    processes: `it ran more than ${limits.processes} processes at once`,
    memory: `it used more than ${limits.memory} bytes of memory`,
    reports: `it wrote more than ${limits.reports} bytes of reports, too many files, or a folder that cannot be looked into`,
    disk: `less than ${limits.free} bytes are free on the disk`,
  }[excess];
  return `[loop: killed, because ${what}]`;
}
