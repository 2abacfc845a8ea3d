/**
 * How much of the passing time the machine gave to a sandbox. What it took is not counted: time in the queue for a CPU, time in
 * which the disk kept a process waiting, and time in which the sandbox, or Loop itself, was stopped from outside. So a program
 * that sleeps or computes for ever uses up its own time on a busy machine too, only later. Where the kernel does not tell
 * (`schedstat`), the clock counts.
 */
import { availableParallelism } from 'node:os';
import { namesIn, textAt } from '../peek.ts';

/** Time of a thread on a CPU and in the queue for one; nanoseconds, as the kernel counts. */
interface Thread {
  ran: number;
  waited: number;
}

/** What the processes did since the last sample, in milliseconds. */
interface Seen {
  /** Of the thread that did it longest. */
  ran: number;
  waited: number;
  /** Of all threads together. */
  ranInAll: number;
  onDisk: boolean;
}

/** Samples further apart than this many periods: the machine, or Loop, did not run in between. */
const gap = 4;
/** Who asks ten times a second whether something is there uses two or three percent of a processor. Milliseconds. */
const idle = { window: 3000, share: 0.05 };
/** Threads that one sample reads; a sandbox with more is counted by these. */
const mostThreads = 400;
/** A clock tick of `/proc/<pid>/stat` in milliseconds; the kernel shows it like this on every machine. */
const tick = 10;

export class GivenTime {
  /** Milliseconds so far. */
  ms = 0;
  /** What it was when something in the sandbox last did more than next to nothing. In time that was taken nothing is counted. */
  busyUntil = 0;
  private readonly window = { from: 0, did: 0 };
  private readonly period: number;
  private threads = new Map<string, Thread>();
  /** What all threads did that were ever seen, in milliseconds. */
  private readonly known: Thread = { ran: 0, waited: 0 };
  /** CPU time of all processes, also of those that ended, in milliseconds. */
  private cpu = 0;
  private disk: number;
  /** Loop's own main thread. */
  private self: Thread = threadIn('/proc/self') ?? { ran: 0, waited: 0 };
  private at: number;

  /** @param period milliseconds between two samples. */
  constructor(period: number) {
    this.period = period;
    this.disk = waitedForDisk();
    this.at = performance.now();
  }

  /**
   * @param outside folders in /proc of processes that no program inside can stop; the time in which one stands still was taken.
   * @param processes folders in /proc of all processes, these included.
   */
  sample(outside: readonly string[], processes: readonly string[]): void {
    const now = performance.now();
    const passed = now - this.at;
    this.at = now;
    const seen = this.look(processes);
    const disk = waitedForDisk();
    const onDisk = seen.onDisk ? disk - this.disk : 0;
    this.disk = disk;
    const missed = outside.some(isStopped) ? passed : passed > gap * this.period ? passed - this.period : 0;
    const self = threadIn('/proc/self') ?? this.self;
    // A program that writes much waits for Loop to read it.
    const taken = Math.max(missed, seen.waited + onDisk, (self.waited - this.self.waited) / 1e6);
    this.self = self;
    // Who ran was given that time, and a share of all CPUs is no less than it would have had alone.
    const used = Math.max(seen.ran, seen.ranInAll / availableParallelism());
    this.ms += Math.min(passed, Math.max(passed - taken, used, 0));
    this.lookForWork(seen.ranInAll);
  }

  /** @param did milliseconds of processors in this sample. */
  private lookForWork(did: number): void {
    this.window.did += did;
    const length = this.ms - this.window.from;
    const isBusy = this.window.did > idle.share * Math.max(length, idle.window);
    if (isBusy) this.busyUntil = this.ms;
    if (isBusy || length >= idle.window) Object.assign(this.window, { from: this.ms, did: 0 });
  }

  private look(processes: readonly string[]): Seen {
    const before = this.threads;
    this.threads = new Map();
    const seen: Seen = { ran: 0, waited: 0, ranInAll: 0, onDisk: false };
    let cpu = 0;
    for (const folder of processes) {
      cpu += cpuOf(folder);
      for (const thread of namesIn(`${folder}/task`)) {
        if (this.threads.size >= mostThreads) break;
        this.lookAt(`${folder}/task/${thread}`, before, seen);
      }
    }
    const all = Math.max(cpu - this.cpu, seen.ranInAll);
    this.cpu = Math.max(cpu, this.cpu);
    return { ...seen, ranInAll: all, waited: seen.waited + this.waitedUnseen(all - seen.ranInAll) };
  }

  private lookAt(folder: string, before: ReadonlyMap<string, Thread>, seen: Seen): void {
    const now = threadIn(folder);
    if (!now) return;
    this.threads.set(folder, now);
    // A thread that is seen for the first time brings all that it did since its birth.
    const { ran, waited } = before.get(folder) ?? { ran: 0, waited: 0 };
    const did = { ran: (now.ran - ran) / 1e6, waited: (now.waited - waited) / 1e6 };
    seen.ran = Math.max(seen.ran, did.ran);
    seen.waited = Math.max(seen.waited, did.waited);
    seen.ranInAll += did.ran;
    seen.onDisk ||= stateOf(folder) === 'D';
    this.known.ran += did.ran;
    this.known.waited += did.waited;
  }

  /** A process that came and went between two samples waited about as long for its time as those that were seen. */
  private waitedUnseen(ran: number): number {
    return this.known.ran === 0 ? 0 : (ran * this.known.waited) / this.known.ran;
  }
}

/** Whether this kernel tells how long a process waited for a CPU. */
export function tellsWaiting(): boolean {
  return threadIn('/proc/self') !== undefined;
}

function threadIn(folder: string): Thread | undefined {
  const [ran, waited] = textAt(`${folder}/schedstat`).split(' ').map(Number);
  return ran === undefined || waited === undefined || isNaN(ran + waited) ? undefined : { ran, waited };
}

/** `R`, `S`, `D`, `T`, …; undefined where the process is gone. */
function stateOf(folder: string): string | undefined {
  return fieldsOf(folder)[0];
}

function isStopped(folder: string): boolean {
  return /^[Tt]$/.test(stateOf(folder) ?? '');
}

/** CPU time in milliseconds of a process and of its children that ended. */
function cpuOf(folder: string): number {
  const times = fieldsOf(folder).slice(11, 15).map(Number);
  return times.reduce((sum, one) => sum + one, 0) * tick;
}

/** The fields of `stat` behind the program's name, which may hold blanks and brackets. */
function fieldsOf(folder: string): string[] {
  const text = textAt(`${folder}/stat`);
  return text === '' ? [] : text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** Milliseconds in which something on this machine waited for a disk, since it started; 0 where the kernel does not count that. */
function waitedForDisk(): number {
  return Number(/^some .* total=(\d+)/m.exec(textAt('/proc/pressure/io'))?.[1] ?? 0) / 1000;
}
