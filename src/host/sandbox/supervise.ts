/**
 * Runs one sandbox from its start until its last process is dead. It always returns within a second of the timeout: the end of
 * bubblewrap kills the namespace, and a process that takes longer to die is not waited for. The timeout counts the time that
 * the machine gave it (`given-time.ts`), and ends in any case after a multiple of it by the clock.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { AbortSignal } from '../../engine/ports.ts';
import { reportFd, secretsFd, timeFd } from './bubblewrap.ts';
import { GivenTime } from './given-time.ts';
import { commandsIn, excessOf, processesIn, type Excess, type Limits, type WritableFolders } from './limits.ts';
import { CappedOutput } from './output.ts';
import type { Pipe } from './pipe.ts';
import { remember } from './port-holder.ts';
import type { Handed } from './program.ts';
import { giveBack, openText, readWritten, takeBlank } from './unnamed.ts';

export interface Launch {
  /** Words that become bubblewrap, in the same process. */
  bubblewrap: readonly string[];
  options: string[];
  /** Options that go through a pipe, because everybody on this machine may read a command line. */
  secrets: string[];
  inputs: string[];
  argv: string[];
  writable: WritableFolders;
  /** Seconds that the machine gives it. */
  timeout: number;
  /** Seconds until `ready` must be reported, counted alike; the timeout counts from then. Left out where nothing reports. */
  startup?: number;
  /** What the program reads from the socket of reports, once it begins. */
  handed?: Handed;
  /** Called once after the start, with standard input; left out where nothing is read. */
  input?: (stdin: Writable) => void;
  /** Folder for a record of this sandbox while it lives, because it may hold ports of this machine. */
  records?: string;
}

export interface Outcome {
  /** Null when it was killed. */
  exit: number | null;
  /** False when bubblewrap ended before the command began; `output` then has the reason. */
  started: boolean;
  /** `timeout`: its own time ran out. `slow`: the machine gave it too little. `early`: status 0, but not by the script's own end. */
  killed?: 'timeout' | 'slow' | 'aborted' | 'early' | Excess;
  /** Milliseconds that the machine gave it. */
  given: number;
  /** Of these, the last in which nothing in it did anything. */
  idle: number;
  /** Of one whose time ran out: the commands that still ran in it. */
  still: readonly string[];
  output: CappedOutput;
  /** The lines that the supervisor of its services reported. */
  reports: string;
}

const sampleMs = 150;
/** Time for a killed sandbox to die and for its output to be read. */
const graceMs = 800;
/** The same for one that ended by itself: nothing in it lives any more, so only a busy machine needs that long. */
const patienceMs = 10_000;
/** By the clock, a run may take this many times as long as by its own time, and so many seconds more. */
const wall = { times: 10, more: 10 };

/** @throws only when bubblewrap cannot be spawned. */
export async function supervise(launch: Launch, pipe: Pipe, limits: Limits, signal: AbortSignal): Promise<Outcome> {
  const status = takeBlank();
  let drained = false;
  pipe.reader.once('end', () => (drained = true));
  try {
    const child = start(launch, pipe.writer, status);
    const run = new SupervisedRun(child, launch, limits, status);
    if (child.stdin) launch.input?.(child.stdin.on('error', ignore));
    const forget = launch.records === undefined ? undefined : remember(launch.records, child.pid);
    return await follow(run, pipe.reader, signal).finally(forget);
  } finally {
    pipe.done(drained);
    giveBack(status);
  }
}

async function follow(run: SupervisedRun, reader: Readable, signal: AbortSignal): Promise<Outcome> {
  const drained = run.read(reader);
  const abort = () => run.kill('aborted');
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    const code = await run.ended;
    const deadline = Date.now() + (run.wasKilled ? graceMs : patienceMs);
    await untilGone(run.init, deadline, run.wasKilled);
    const late = new AbortController();
    const patience = delay(Math.max(deadline - Date.now(), 0), undefined, { ref: false, signal: late.signal }).catch(ignore);
    await Promise.race([Promise.all([drained, run.reported]), patience]);
    late.abort();
    return run.outcome(code);
  } finally {
    signal.removeEventListener('abort', abort);
    run.stop();
  }
}

function start(launch: Launch, output: number, status: number): ChildProcess {
  const [program = '', ...args] = [...launch.bubblewrap, ...launch.options, '--', ...launch.argv];
  const inputs: number[] = [];
  try {
    for (const text of launch.inputs) inputs.push(openText(text));
    // Programs inside can read the environment of the namespace's first process, so it gets none.
    return spawn(program, args, {
      cwd: '/',
      env: {},
      stdio: [
        launch.input ? 'pipe' : 'ignore',
        output,
        output,
        // A pipe, so that the values of the person's variables are in no file and no other process can read them.
        launch.secrets.length > 0 ? 'pipe' : 'ignore',
        status,
        launch.startup === undefined && launch.handed === undefined ? 'ignore' : 'pipe',
        launch.startup === undefined ? 'ignore' : 'pipe',
        ...inputs,
      ],
    });
  } finally {
    for (const fd of [output, ...inputs]) closeSync(fd);
  }
}

class SupervisedRun {
  private readonly child: ChildProcess;
  private readonly launch: Launch;
  private readonly limits: Limits;
  private readonly output: CappedOutput;
  private readonly timer: NodeJS.Timeout;
  private readonly status: number;
  private readonly time = new GivenTime(sampleMs);
  /** What is being limited: the start of its services, then the program. `from` is its own time, `at` the clock's; milliseconds. */
  private phase: { seconds: number; from: number; at: number; starts: boolean };
  private reports = '';
  private killed: Exclude<Outcome['killed'], 'early'>;
  private still: readonly string[] = [];
  readonly ended: Promise<number | null>;
  /** Resolves when nothing more can be reported. */
  readonly reported: Promise<void>;

  /** @param status descriptor of the file to which bubblewrap writes its status. */
  constructor(child: ChildProcess, launch: Launch, limits: Limits, status: number) {
    this.child = child;
    this.launch = launch;
    this.limits = limits;
    this.status = status;
    this.output = new CappedOutput(limits.kept);
    this.ended = new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve));
    this.timer = setInterval(() => this.sample(), sampleMs);
    this.phase = { seconds: launch.startup ?? launch.timeout, from: 0, at: performance.now(), starts: launch.startup !== undefined };
    if (launch.startup === undefined) this.handOver();
    this.reported = this.readReports();
    this.writer(timeFd)?.on('error', ignore);
    this.writer(secretsFd)
      ?.on('error', ignore)
      .end(launch.secrets.map((option) => `${option}\0`).join(''));
  }

  /** Process id, on the host, of the namespace's first process. */
  get init(): number | undefined {
    const pid = /"child-pid":\s*(\d+)/.exec(readWritten(this.status))?.[1];
    return pid === undefined ? undefined : Number(pid);
  }

  get wasKilled(): boolean {
    return this.killed !== undefined;
  }

  /** Resolves when no process can write any more. */
  read(reader: Readable): Promise<void> {
    reader.on('data', (chunk: Buffer) => {
      this.output.add(chunk);
      if (this.output.total > this.limits.written) this.kill('flood');
    });
    return new Promise((resolve) => reader.once('close', resolve).on('error', ignore));
  }

  kill(why: Exclude<Outcome['killed'], 'early' | undefined>): void {
    if (this.killed !== undefined || this.hasExited()) return;
    this.killed = why;
    void this.killChild();
  }

  /**
   * Once the namespace's first process has begun, it dies with bubblewrap, and all others die with it. Before that it waits for
   * bubblewrap, for ever if that is dead. So this waits for its process id first, and `untilGone` kills it too.
   */
  private async killChild(): Promise<void> {
    const deadline = Date.now() + graceMs;
    while (this.init === undefined && !this.hasExited() && Date.now() < deadline) await delay(1);
    this.child.kill('SIGKILL');
  }

  stop(): void {
    clearInterval(this.timer);
    for (const stream of [this.child.stdin, ...this.child.stdio.slice(secretsFd)]) stream?.destroy();
  }

  outcome(code: number | null): Outcome {
    const started = code === null || readWritten(this.status).includes('"exit-code"');
    const output = this.output;
    const reports = Buffer.from(this.reports, 'latin1').toString();
    const { ms: given, busyUntil } = this.time;
    const { still } = this;
    const idle = given - Math.max(busyUntil, this.phase.from);
    const killed = this.killed ?? (code === 0 && this.endedEarly() ? 'early' : undefined);
    const all = { given, idle, still, output, reports };
    if (killed === undefined) return { exit: code, started, ...all };
    return { exit: null, started: true, killed, ...all };
  }

  /** Whether a verification's process ended, but not the script in it. */
  private endedEarly(): boolean {
    const { handed } = this.launch;
    return handed?.judges === true && !this.reports.split('\n').includes(handed.mark);
  }

  private hasExited(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** The program's own timeout starts when its services are ready. Bytes stay undecoded (latin1), since a chunk may cut a character. */
  private readReports(): Promise<void> {
    const reports = this.child.stdio[reportFd] as Readable | null | undefined;
    if (!reports) return Promise.resolve();
    reports.on('data', (chunk: Buffer) => {
      this.reports += chunk.toString('latin1');
      if (!this.phase.starts || !this.reports.split('\n').includes('ready')) return;
      this.count();
      this.writer(timeFd)?.end();
      this.handOver();
      this.phase = { seconds: this.launch.timeout, from: this.time.ms, at: performance.now(), starts: false };
    });
    return new Promise((resolve) => reports.once('close', resolve).on('error', ignore));
  }

  private sample(): void {
    const { init, phase } = this;
    const excess = init === undefined ? undefined : excessOf(init, this.launch.writable, this.limits);
    if (excess !== undefined) this.kill(excess);
    this.count();
    const own = this.time.ms - phase.from;
    if (phase.starts) this.tellTime(own);
    if (own >= phase.seconds * 1000) {
      this.still = init === undefined ? [] : commandsIn(init);
      this.kill('timeout');
    } else if (performance.now() - phase.at >= (wall.times * phase.seconds + wall.more) * 1000) this.kill('slow');
  }

  private count(): void {
    const { init, child } = this;
    const outside = [child.pid, init].flatMap((pid) => (pid === undefined ? [] : `/proc/${pid}`));
    this.time.sample(outside, [`/proc/${child.pid}`, ...(init === undefined ? [] : processesIn(init))]);
  }

  /** Readiness limits of services count this time, in whole seconds (`supervisor.ts`). */
  private tellTime(own: number): void {
    this.writer(timeFd)?.write(`${Math.floor(own / 1000)}\n`);
  }

  private handOver(): void {
    this.writer(reportFd)
      ?.on('error', ignore)
      .end(this.launch.handed?.text ?? '');
  }

  private writer(fd: number): Writable | null | undefined {
    return this.child.stdio[fd] as Writable | null | undefined;
  }
}

/** Streams of a killed child fail; only its event `exit` matters. */
function ignore(): void {}

/** Waits until a namespace's first process is dead. The kernel lets it die only after all others. */
async function untilGone(init: number | undefined, deadline: number, wasKilled: boolean): Promise<void> {
  if (init === undefined) return;
  if (wasKilled && isFirstProcess(init)) kill(init);
  while (isAlive(init) && Date.now() < deadline) await delay(1);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}

/** A namespace's first process is always bubblewrap. Another program with this id took the number over. */
function isFirstProcess(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').includes('bwrap');
  } catch {
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
