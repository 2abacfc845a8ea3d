/**
 * The process that starts sandboxes and git for an engine (docs/decisions/0024). A fork copies the page tables of its process, and
 * this one uses little memory, unlike an editor's extension host. It ends with its engine, and everything that it runs ends too.
 */
import type { Writable } from 'node:stream';
import { Bug, InputError, messageOf } from '../../engine/ground/errors.ts';
import type { Finished } from '../../engine/work/job.ts';
import { callGit, type GitOutcome } from '../git/call.ts';
import { createRunner, type Conversation, type TalkingRunner } from '../sandbox/runner.ts';
import { createStop } from '../stop.ts';
import { createVariables } from '../variables.ts';
import { closeInherited } from './inherited.ts';
import type { CallFailure, FromLauncher, RemoteOptions, ToLauncher } from './launcher-messages.ts';

interface ActiveCall {
  stop: AbortController;
  isWhole: boolean;
  stdin?: Writable;
}

const activeCalls = new Map<number, ActiveCall>();
const runners = new Map<number, TalkingRunner>();

// Programs that this process starts must not inherit it.
delete process.env['ELECTRON_RUN_AS_NODE'];
closeInherited();

process.on('message', (message: ToLauncher) => {
  if (message.type === 'open') runners.set(message.runner, open(message.options));
  else if (message.type === 'close') runners.delete(message.runner);
  else if (message.type === 'run') void respond(message.call, (active) => run(message, active));
  else if (message.type === 'git') void respond(message.call, ({ stop }) => callGit(message.git, stop.signal), message.git.whole);
  else if (message.type === 'abort') activeCalls.get(message.call)?.stop.abort();
  else if (message.chunk === null) activeCalls.get(message.call)?.stdin?.end();
  else activeCalls.get(message.call)?.stdin?.write(message.chunk);
});

// A service manager may signal all processes at once. Only the engine reacts, and this process ends after it.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);

// The engine is gone. Without open calls this process ends by itself.
process.on('disconnect', () => {
  for (const { stop, isWhole } of activeCalls.values()) if (!isWhole) stop.abort();
});

function open({ variables, ...options }: RemoteOptions): TalkingRunner {
  const named = createVariables(Object.keys(variables), variables);
  return createRunner({ ...options, variables: named });
}

async function run({ call, runner, job, talks }: Extract<ToLauncher, { type: 'run' }>, active: ActiveCall): Promise<Finished> {
  const begin = ({ stdin, output, root, ports }: Conversation): void => {
    active.stdin = stdin;
    send({ type: 'begun', call, root, ports });
    output.on('data', (chunk: Buffer) => send({ type: 'output', call, chunk }));
  };
  const opened = runners.get(runner);
  if (!opened) throw new Bug('a run came before its runner was opened');
  return opened.run(job, active.stop.signal, talks ? begin : undefined);
}

async function respond(call: number, carryOut: (active: ActiveCall) => Promise<Finished | GitOutcome>, isWhole = false): Promise<void> {
  const active: ActiveCall = { stop: createStop(), isWhole };
  activeCalls.set(call, active);
  try {
    send({ type: 'finished', call, result: await carryOut(active) });
  } catch (error) {
    send({ type: 'failed', call, failure: failureOf(error) });
  } finally {
    activeCalls.delete(call);
  }
}

function failureOf(error: unknown): CallFailure {
  if (error instanceof InputError) return { message: error.message, next: error.next };
  return { message: messageOf(error), stack: error instanceof Error ? error.stack : undefined };
}

function send(message: FromLauncher): void {
  // The engine may end at any time; then the message has no receiver.
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}
