/**
 * The engine's runner in a process of its own (docs/decisions/0024). That is started when something is run, and ends with this
 * process, or when nothing was run for a while.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { Bug, InputError } from '../../engine/errors.ts';
import type { AbortSignal, Finished, Job } from '../../engine/ports.ts';
import type { FromRunner, RemoteOptions, RunFailure, ToRunner } from './runner-messages.ts';
import type { Conversation, TalkingRunner } from './runner.ts';

const IDLE_MS = 60_000;

/**
 * Throws as `createRunner` does, and InputError where that process was ended from outside.
 * @param file the bundle of `runner-process.ts`.
 * @param idle milliseconds after which that process ends when nothing is run.
 */
export function createRemoteRunner(file: string, options: RemoteOptions, idle: number = IDLE_MS): TalkingRunner {
  let remote: Remote | undefined;
  return {
    run(job, signal, begin) {
      if (!remote?.isOpen) remote = new Remote(file, options, idle);
      return remote.run(job, signal, begin);
    },
  };
}

type Begin = (conversation: Conversation) => void;

interface Pending {
  resolve(finished: Finished): void;
  reject(error: Error): void;
  begin: Begin | undefined;
  output?: Readable;
}

class Remote {
  readonly #child: ChildProcess;
  readonly #pending = new Map<number, Pending>();
  readonly #idle: number;
  #count = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(file: string, options: RemoteOptions, idle: number) {
    this.#idle = idle;
    this.#child = start(file);
    this.#child.on('message', (message) => this.#receive(message as FromRunner));
    this.#child.once('error', (error) => this.#lost(error.message));
    this.#child.once('exit', (code, signal) => this.#lost(signal ?? `exit status ${code}`));
    this.#say({ type: 'open', options });
  }

  get isOpen(): boolean {
    return this.#child.connected;
  }

  async run(job: Job, signal: AbortSignal, begin: Begin | undefined): Promise<Finished> {
    const run = ++this.#count;
    const abort = (): void => this.#say({ type: 'abort', run });
    const finished = new Promise<Finished>((resolve, reject) => this.#pending.set(run, { resolve, reject, begin }));
    this.#hold();
    this.#say({ type: 'run', run, job, talks: begin !== undefined });
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    try {
      return await finished;
    } finally {
      signal.removeEventListener('abort', abort);
      this.#pending.get(run)?.output?.push(null);
      this.#pending.delete(run);
      if (this.#pending.size === 0) this.#letGo();
    }
  }

  /** Whoever waits for a run waits for its process, too. */
  #hold(): void {
    clearTimeout(this.#timer);
    this.#child.channel?.ref();
  }

  #letGo(): void {
    this.#child.channel?.unref();
    this.#timer = setTimeout(() => this.isOpen && this.#child.disconnect(), this.#idle).unref();
  }

  #say(message: ToRunner): void {
    if (this.isOpen) this.#child.send(message, () => undefined);
  }

  #receive(message: FromRunner): void {
    const pending = this.#pending.get(message.run);
    if (!pending) return;
    if (message.type === 'begun') this.#begin(message, pending);
    else if (message.type === 'output') pending.output?.push(message.chunk);
    else if (message.type === 'finished') pending.resolve(message.finished);
    else pending.reject(errorOf(message.failure));
  }

  #begin({ run, root, port }: Extract<FromRunner, { type: 'begun' }>, pending: Pending): void {
    const output = new Readable({ read: () => undefined });
    const say = (chunk: Uint8Array | null): void => this.#say({ type: 'stdin', run, chunk });
    const stdin = new Writable({
      write: (chunk: Buffer, _encoding, done) => (say(chunk), done()),
      final: (done) => (say(null), done()),
    });
    pending.output = output;
    pending.begin?.({ stdin, output, root, port });
  }

  #lost(how: string): void {
    for (const pending of this.#pending.values())
      pending.reject(
        new InputError(
          `The process in which Loop runs its sandboxes ended (${how}).`,
          'Start the sprint again: it goes on where it stopped.',
        ),
      );
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

function errorOf({ message, next, stack }: RunFailure): Error {
  if (next !== undefined) return new InputError(message, next);
  const bug = new Bug(message);
  if (stack !== undefined) bug.stack = stack;
  return bug;
}
