/**
 * Starts sandboxes and git in a process of their own, the launcher (docs/decisions/0024). The first call starts it. It ends with
 * this process, or after some time without a call.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { Bug, InputError, Interruption } from '../../engine/ground/errors.ts';
import type { AbortSignal as Stop } from '../../engine/ports.ts';
import type { Finished } from '../../engine/work/job.ts';
import type { HostJob } from '../egress/open-egress.ts';
import type { CallGit, GitCall, GitOutcome } from '../git/call.ts';
import { pressure } from '../sandbox/pressure.ts';
import type { Conversation, TalkingRunner } from '../sandbox/runner.ts';
import type { CallFailure, FromLauncher, RemoteOptions, ToLauncher } from './launcher-messages.ts';

const idleMs = 60_000;

/**
 * Calls throw Interruption `lost-launcher` where something else ended the launcher's process, but `cancelled` where they were
 * stopped anyway.
 */
export interface Launcher {
  /** Throws the errors of `createRunner`, too. @param isOnce nothing of it is kept after its run. */
  runner(options: RemoteOptions, isOnce?: boolean): TalkingRunner;
  callGit: CallGit;
}

/**
 * @param file the bundle of `launcher-process.ts`.
 * @param idle milliseconds without a call after which that process ends.
 */
export function createLauncher(file: string, idle: number = idleMs): Launcher {
  let remote: Remote | undefined;
  const open = (): Remote => (remote = remote?.isOpen ? remote : new Remote(file, idle));
  return {
    runner: (options, isOnce = false) => ({
      async run(job, signal, begin) {
        const used = open();
        try {
          return await used.run(options, job, signal, begin);
        } finally {
          if (isOnce) used.forget(options);
        }
      },
      pressure,
    }),
    callGit: (git, signal) => open().git(git, signal),
  };
}

type Begin = (conversation: Conversation) => void;
type Call = Extract<ToLauncher, { type: 'run' | 'git' }>;

interface Pending {
  resolve(result: Finished | GitOutcome): void;
  reject(error: Error): void;
  begin: Begin | undefined;
  output?: Readable;
}

class Remote {
  private readonly child: ChildProcess;
  private readonly pending = new Map<number, Pending>();
  private readonly runners = new Map<RemoteOptions, number>();
  private readonly idle: number;
  private count = 0;
  private opened = 0;
  private timer: NodeJS.Timeout | undefined;
  private isLost = false;

  constructor(file: string, idle: number) {
    this.idle = idle;
    this.child = start(file);
    this.child.on('message', (message) => this.receive(message as FromLauncher));
    this.child.once('error', (error) => this.rejectAll(error.message));
    this.child.once('exit', (code, signal) => this.rejectAll(signal ?? `exit status ${code}`));
  }

  /** `isLost` may be true before the channel counts as closed. */
  get isOpen(): boolean {
    return this.child.connected && !this.isLost;
  }

  run(options: RemoteOptions, job: HostJob, signal: Stop, begin: Begin | undefined): Promise<Finished> {
    const runner = this.runnerOf(options);
    return this.call<Finished>({ type: 'run', call: ++this.count, runner, job, talks: begin !== undefined }, signal, begin);
  }

  git(git: GitCall, signal: Stop | undefined): Promise<GitOutcome> {
    return this.call<GitOutcome>({ type: 'git', call: ++this.count, git }, signal);
  }

  forget(options: RemoteOptions): void {
    const runner = this.runners.get(options);
    if (runner === undefined) return;
    this.runners.delete(options);
    this.send({ type: 'close', runner });
  }

  private runnerOf(options: RemoteOptions): number {
    const known = this.runners.get(options);
    if (known !== undefined) return known;
    const runner = ++this.opened;
    this.runners.set(options, runner);
    this.send({ type: 'open', runner, options });
    return runner;
  }

  private async call<Result>(message: Call, signal: Stop | undefined, begin?: Begin): Promise<Result> {
    const { call } = message;
    const abort = (): void => this.send({ type: 'abort', call });
    const result = new Promise<Finished | GitOutcome>((resolve, reject) => this.pending.set(call, { resolve, reject, begin }));
    this.keepAlive();
    this.send(message);
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
    try {
      return (await result) as Result;
    } catch (error) {
      if (!signal?.aborted || !(error instanceof Interruption)) throw error;
      throw new Interruption('cancelled', 'Loop was stopped.', { cause: error });
    } finally {
      signal?.removeEventListener('abort', abort);
      this.pending.get(call)?.output?.push(null);
      this.pending.delete(call);
      if (this.pending.size === 0) this.release();
    }
  }

  /** An open call keeps this process alive. The channel of a launcher that was killed closes before its end is told, so it alone would not. */
  private keepAlive(): void {
    clearTimeout(this.timer);
    this.child.channel?.ref();
    this.child.ref();
  }

  private release(): void {
    this.child.channel?.unref();
    this.child.unref();
    this.timer = setTimeout(() => this.isOpen && this.child.disconnect(), this.idle).unref();
  }

  private send(message: ToLauncher): void {
    if (this.isOpen) this.child.send(message, () => undefined);
  }

  private receive(message: FromLauncher): void {
    const pending = this.pending.get(message.call);
    if (!pending) return;
    if (message.type === 'begun') this.openStreams(message, pending);
    else if (message.type === 'output') pending.output?.push(message.chunk);
    else if (message.type === 'finished') pending.resolve(message.result);
    else pending.reject(errorOf(message.failure));
  }

  private openStreams({ call, root, ports }: Extract<FromLauncher, { type: 'begun' }>, pending: Pending): void {
    const output = new Readable({ read: () => undefined });
    const sendInput = (chunk: Uint8Array | null): void => this.send({ type: 'stdin', call, chunk });
    const stdin = new Writable({
      write: (chunk: Buffer, _encoding, done) => (sendInput(chunk), done()),
      final: (done) => (sendInput(null), done()),
    });
    pending.output = output;
    pending.begin?.({ stdin, output, root, ports });
  }

  private rejectAll(how: string): void {
    this.isLost = true;
    for (const pending of this.pending.values())
      pending.reject(new Interruption('lost-launcher', `The process with which Loop starts commands and git ended (${how}).`));
  }
}

function start(file: string): ChildProcess {
  const child = fork(file, [], {
    // A session of its own, so that Ctrl+C in a terminal reaches only the engine, which decides how to stop.
    detached: true,
    // A fork costs more the more memory the process uses, so Node keeps little.
    execArgv: ['--max-semi-space-size=1', '--v8-pool-size=0', '--no-opt'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // In an editor, Node is the editor's own program (Electron).
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  });
  child.unref();
  return child;
}

function errorOf({ message, next, stack }: CallFailure): Error {
  if (next !== undefined) return new InputError(message, next);
  const bug = new Bug(message);
  if (stack !== undefined) bug.stack = stack;
  return bug;
}
