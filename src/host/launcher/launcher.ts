/**
 * Sandboxes and git are started by a process of their own (docs/decisions/0024). That is started when something is called, and
 * ends with this process, or when nothing was called for a while.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { Bug, InputError, Interruption } from '../../engine/ground/errors.ts';
import type { AbortSignal as Stop } from '../../engine/ports.ts';
import type { Finished, Job } from '../../engine/work/job.ts';
import type { CallGit, GitCall, GitOutcome } from '../git/call.ts';
import type { Conversation, TalkingRunner } from '../sandbox/runner.ts';
import type { CallFailure, FromLauncher, RemoteOptions, ToLauncher } from './launcher-messages.ts';

const IDLE_MS = 60_000;

/** Both throw Interruption `lost-launcher` where their process was ended from outside, `cancelled` where they were told to stop, too. */
export interface Launcher {
  /** Throws as `createRunner` does. */
  runner(options: RemoteOptions): TalkingRunner;
  callGit: CallGit;
}

/**
 * @param file the bundle of `launcher-process.ts`.
 * @param idle milliseconds after which that process ends when nothing is called.
 */
export function createLauncher(file: string, idle: number = IDLE_MS): Launcher {
  let remote: Remote | undefined;
  const open = (): Remote => (remote = remote?.isOpen ? remote : new Remote(file, idle));
  return {
    runner: (options) => ({ run: (job, signal, begin) => open().run(options, job, { signal, begin }) }),
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
  readonly #child: ChildProcess;
  readonly #pending = new Map<number, Pending>();
  readonly #runners = new Map<RemoteOptions, number>();
  readonly #idle: number;
  #count = 0;
  #timer: NodeJS.Timeout | undefined;
  #isLost = false;

  constructor(file: string, idle: number) {
    this.#idle = idle;
    this.#child = start(file);
    this.#child.on('message', (message) => this.#receive(message as FromLauncher));
    this.#child.once('error', (error) => this.#lost(error.message));
    this.#child.once('exit', (code, signal) => this.#lost(signal ?? `exit status ${code}`));
  }

  /** That it is gone may be known before its channel is found closed. */
  get isOpen(): boolean {
    return this.#child.connected && !this.#isLost;
  }

  run(options: RemoteOptions, job: Job, { signal, begin }: { signal: Stop; begin: Begin | undefined }): Promise<Finished> {
    const runner = this.#runnerOf(options);
    return this.#answer<Finished>({ type: 'run', call: ++this.#count, runner, job, talks: begin !== undefined }, signal, begin);
  }

  git(git: GitCall, signal: Stop | undefined): Promise<GitOutcome> {
    return this.#answer<GitOutcome>({ type: 'git', call: ++this.#count, git }, signal);
  }

  #runnerOf(options: RemoteOptions): number {
    const known = this.#runners.get(options);
    if (known !== undefined) return known;
    const runner = this.#runners.size;
    this.#runners.set(options, runner);
    this.#say({ type: 'open', runner, options });
    return runner;
  }

  async #answer<Result>(message: Call, signal: Stop | undefined, begin?: Begin): Promise<Result> {
    const { call } = message;
    const abort = (): void => this.#say({ type: 'abort', call });
    const result = new Promise<Finished | GitOutcome>((resolve, reject) => this.#pending.set(call, { resolve, reject, begin }));
    this.#hold();
    this.#say(message);
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
    try {
      return (await result) as Result;
    } catch (error) {
      if (!signal?.aborted || !(error instanceof Interruption)) throw error;
      throw new Interruption('cancelled', 'Loop was stopped.', { cause: error });
    } finally {
      signal?.removeEventListener('abort', abort);
      this.#pending.get(call)?.output?.push(null);
      this.#pending.delete(call);
      if (this.#pending.size === 0) this.#letGo();
    }
  }

  /** Whoever waits for an answer waits for its process, too. */
  #hold(): void {
    clearTimeout(this.#timer);
    this.#child.channel?.ref();
  }

  #letGo(): void {
    this.#child.channel?.unref();
    this.#timer = setTimeout(() => this.isOpen && this.#child.disconnect(), this.#idle).unref();
  }

  #say(message: ToLauncher): void {
    if (this.isOpen) this.#child.send(message, () => undefined);
  }

  #receive(message: FromLauncher): void {
    const pending = this.#pending.get(message.call);
    if (!pending) return;
    if (message.type === 'begun') this.#begin(message, pending);
    else if (message.type === 'output') pending.output?.push(message.chunk);
    else if (message.type === 'finished') pending.resolve(message.result);
    else pending.reject(errorOf(message.failure));
  }

  #begin({ call, root, port }: Extract<FromLauncher, { type: 'begun' }>, pending: Pending): void {
    const output = new Readable({ read: () => undefined });
    const say = (chunk: Uint8Array | null): void => this.#say({ type: 'stdin', call, chunk });
    const stdin = new Writable({
      write: (chunk: Buffer, _encoding, done) => (say(chunk), done()),
      final: (done) => (say(null), done()),
    });
    pending.output = output;
    pending.begin?.({ stdin, output, root, port });
  }

  #lost(how: string): void {
    this.#isLost = true;
    for (const pending of this.#pending.values())
      pending.reject(new Interruption('lost-launcher', `The process with which Loop starts commands and git ended (${how}).`));
  }
}

function start(file: string): ChildProcess {
  const child = fork(file, [], {
    // A session of its own: what a terminal sends to end the engine is for the engine to pass on.
    detached: true,
    // What it costs to fork is how much memory was touched.
    execArgv: ['--max-semi-space-size=1', '--v8-pool-size=0', '--no-opt'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // In an editor, Node is the editor's own program.
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
