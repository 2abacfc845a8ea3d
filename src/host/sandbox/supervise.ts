/**
 * One sandboxed process from start to the death of the last process in it (T9). Whatever the command does, this settles
 * within a second of its timeout: bubblewrap's end kills the namespace, and what does not end in time is let go of.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { AbortSignal } from '../../engine/ports.ts';
import { REPORT_FD, SECRETS_FD } from './bubblewrap.ts';
import { excessOf, type Excess, type Limits, type WritableFolders } from './limits.ts';
import { CappedOutput } from './output.ts';
import type { Pipe } from './pipe.ts';
import { remember } from './port-holder.ts';
import { giveBack, openText, readWritten, takeBlank } from './unnamed.ts';

export interface Launch {
  bubblewrap: string;
  options: string[];
  /** Options that only it may read. */
  secrets: string[];
  inputs: string[];
  argv: string[];
  writable: WritableFolders;
  /** Seconds. */
  timeout: number;
  /** Seconds until it says `ready` on its report, from when on its timeout counts; left out where it reports nothing. */
  startup?: number;
  /** Called once it is started with what it reads; left out where it reads nothing. */
  input?: (stdin: Writable) => void;
  /** Folder in which it is written down for as long as it lives, since it may hold ports of this machine. */
  records?: string;
}

export interface Outcome {
  /** Null when it was killed from outside. */
  exit: number | null;
  /** False when bubblewrap ended before the command began; `output` then says why. */
  started: boolean;
  killed?: 'timeout' | 'aborted' | Excess;
  output: CappedOutput;
  /** What it said on its report. */
  reports: string;
}

const SAMPLE_MS = 150;
/** How long an ended sandbox may take to die and to be drained. */
const GRACE_MS = 800;

/** Throws only when bubblewrap cannot be spawned. */
export async function supervise(launch: Launch, pipe: Pipe, limits: Limits, signal: AbortSignal): Promise<Outcome> {
  const status = takeBlank();
  let drained = false;
  pipe.reader.once('end', () => (drained = true));
  try {
    const child = start(launch, pipe.writer, status);
    const run = new SupervisedRun(child, launch, limits, status);
    if (child.stdin) launch.input?.(child.stdin.on('error', ignore));
    const forget = launch.records === undefined ? undefined : remember(launch.records, child.pid);
    return await followed(run, pipe.reader, signal).finally(forget);
  } finally {
    pipe.done(drained);
    giveBack(status);
  }
}

async function followed(run: SupervisedRun, reader: Readable, signal: AbortSignal): Promise<Outcome> {
  const drained = run.read(reader);
  const abort = () => run.kill('aborted');
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    const code = await run.ended;
    const deadline = Date.now() + GRACE_MS;
    await gone(run.init, { deadline, killed: run.wasKilled });
    await Promise.race([Promise.all([drained, run.reported]), delay(Math.max(deadline - Date.now(), 0), undefined, { ref: false })]);
    return run.outcome(code);
  } finally {
    signal.removeEventListener('abort', abort);
    run.stop();
  }
}

function start(launch: Launch, output: number, status: number): ChildProcess {
  const args = [...launch.options, '--', ...launch.argv];
  const inputs: number[] = [];
  try {
    for (const text of launch.inputs) inputs.push(openText(text));
    // Its environment is readable inside, as that of the namespace's first process: it has none.
    return spawn(launch.bubblewrap, args, {
      cwd: '/',
      env: {},
      stdio: [
        launch.input ? 'pipe' : 'ignore',
        output,
        output,
        // Values of the person's variables are in no file, and not where every process can read them.
        launch.secrets.length > 0 ? 'pipe' : 'ignore',
        status,
        launch.startup === undefined ? 'ignore' : 'pipe',
        ...inputs,
      ],
    });
  } finally {
    for (const fd of [output, ...inputs]) closeSync(fd);
  }
}

class SupervisedRun {
  readonly #child: ChildProcess;
  readonly #launch: Launch;
  readonly #limits: Limits;
  readonly #output: CappedOutput;
  readonly #timers: NodeJS.Timeout[];
  #deadline: NodeJS.Timeout;
  readonly #status: number;
  #reports = '';
  #killed: Outcome['killed'];
  readonly ended: Promise<number | null>;
  /** Resolves when nothing more can be reported. */
  readonly reported: Promise<void>;

  /** @param status descriptor of the file in which bubblewrap tells how it is. */
  constructor(child: ChildProcess, launch: Launch, limits: Limits, status: number) {
    this.#child = child;
    this.#launch = launch;
    this.#limits = limits;
    this.#status = status;
    this.#output = new CappedOutput(limits.kept);
    this.ended = new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve));
    this.#timers = [setInterval(() => this.#sample(), SAMPLE_MS)];
    this.#deadline = this.#in(launch.startup ?? launch.timeout);
    this.reported = this.#listen(child.stdio[REPORT_FD] as Readable | null | undefined);
    const secrets = child.stdio[SECRETS_FD] as Writable | null | undefined;
    secrets?.on('error', ignore).end(launch.secrets.map((option) => `${option}\0`).join(''));
  }

  /** The namespace's first process, as the host numbers it. */
  get init(): number | undefined {
    const pid = /"child-pid":\s*(\d+)/.exec(readWritten(this.#status))?.[1];
    return pid === undefined ? undefined : Number(pid);
  }

  get wasKilled(): boolean {
    return this.#killed !== undefined;
  }

  /** Resolves when nobody can write any more. */
  read(reader: Readable): Promise<void> {
    reader.on('data', (chunk: Buffer) => {
      this.#output.add(chunk);
      if (this.#output.total > this.#limits.written) this.kill('flood');
    });
    return new Promise((resolve) => reader.once('close', resolve).on('error', ignore));
  }

  kill(why: NonNullable<Outcome['killed']>): void {
    if (this.#killed !== undefined || this.#hasExited()) return;
    this.#killed = why;
    void this.#end();
  }

  /**
   * The first process goes with its parent, once it has begun, and takes all others along. Until then it waits for its parent's
   * word, for ever where that is dead: so its number is waited for, and it is killed by it (`gone`).
   */
  async #end(): Promise<void> {
    const deadline = Date.now() + GRACE_MS;
    while (this.init === undefined && !this.#hasExited() && Date.now() < deadline) await delay(1);
    this.#child.kill('SIGKILL');
  }

  stop(): void {
    clearTimeout(this.#deadline);
    this.#timers.forEach((timer) => clearInterval(timer));
    for (const stream of [this.#child.stdin, ...this.#child.stdio.slice(SECRETS_FD)]) stream?.destroy();
  }

  outcome(code: number | null): Outcome {
    const started = code === null || readWritten(this.#status).includes('"exit-code"');
    const output = this.#output;
    const reports = Buffer.from(this.#reports, 'latin1').toString();
    if (this.#killed === undefined) return { exit: code, started, output, reports };
    return { exit: null, started: true, killed: this.#killed, output, reports };
  }

  #hasExited(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  #in(seconds: number): NodeJS.Timeout {
    return setTimeout(() => this.kill('timeout'), seconds * 1000);
  }

  /** Its services are ready: from now on it is the program's own time. Bytes are kept as they are until all are there. */
  #listen(reports: Readable | null | undefined): Promise<void> {
    if (!reports) return Promise.resolve();
    let began = false;
    reports.on('data', (chunk: Buffer) => {
      this.#reports += chunk.toString('latin1');
      if (began || !this.#reports.split('\n').includes('ready')) return;
      began = true;
      clearTimeout(this.#deadline);
      this.#deadline = this.#in(this.#launch.timeout);
    });
    return new Promise((resolve) => reports.once('close', resolve).on('error', ignore));
  }

  #sample(): void {
    const { init } = this;
    const excess = init === undefined ? undefined : excessOf(init, this.#launch.writable, this.#limits);
    if (excess !== undefined) this.kill(excess);
  }
}

/** Streams of a killed child break; its end is told by `exit`. */
function ignore(): void {}

/** Until a namespace's first process is dead, which the kernel lets happen only after all others are. */
async function gone(init: number | undefined, { deadline, killed }: { deadline: number; killed: boolean }): Promise<void> {
  if (init === undefined) return;
  if (killed && isFirst(init)) kill(init);
  while (isAlive(init) && Date.now() < deadline) await delay(1);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}

/** A first process stays bubblewrap's own; another that has its number by now is somebody else's. */
function isFirst(pid: number): boolean {
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
