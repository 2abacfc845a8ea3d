/**
 * The process that starts what an engine runs: sandboxes and git (docs/decisions/0024). To fork is to copy the tables of one's
 * memory: an editor's extension host has much of it, this process little. It ends with its engine, and with it whatever it runs.
 */
import type { Writable } from 'node:stream';
import { Bug, InputError, messageOf } from '../../engine/ground/errors.ts';
import type { Finished } from '../../engine/work/job.ts';
import { callGit, type GitOutcome } from '../git/call.ts';
import { createRunner, type Conversation, type TalkingRunner } from '../sandbox/runner.ts';
import { createStop } from '../stop.ts';
import { createVariables } from '../variables.ts';
import type { CallFailure, FromLauncher, RemoteOptions, ToLauncher } from './launcher-messages.ts';

interface Going {
  stop: AbortController;
  stdin?: Writable;
}

const going = new Map<number, Going>();
const runners = new Map<number, TalkingRunner>();

// It is for this process alone, which in an editor is the editor's own program.
delete process.env['ELECTRON_RUN_AS_NODE'];

process.on('message', (message: ToLauncher) => {
  if (message.type === 'open') runners.set(message.runner, open(message.options));
  else if (message.type === 'run') void answer(message.call, (mine) => run(message, mine));
  else if (message.type === 'git') void answer(message.call, ({ stop }) => callGit(message.git, stop.signal));
  else if (message.type === 'abort') going.get(message.call)?.stop.abort();
  else if (message.chunk === null) going.get(message.call)?.stdin?.end();
  else going.get(message.call)?.stdin?.write(message.chunk);
});

// Whoever ends all processes of a service at once ends this one by its engine, which says first that it was stopped.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);

// Its engine is gone: with what runs here, this process ends.
process.on('disconnect', () => {
  for (const { stop } of going.values()) stop.abort();
});

function open({ variables, ...options }: RemoteOptions): TalkingRunner {
  const named = createVariables(Object.keys(variables), variables);
  return createRunner({ ...options, variables: named });
}

async function run({ call, runner, job, talks }: Extract<ToLauncher, { type: 'run' }>, mine: Going): Promise<Finished> {
  const begin = ({ stdin, output, root, port }: Conversation): void => {
    mine.stdin = stdin;
    say({ type: 'begun', call, root, port });
    output.on('data', (chunk: Buffer) => say({ type: 'output', call, chunk }));
  };
  const opened = runners.get(runner);
  if (!opened) throw new Bug('a run came before what it is run with');
  return opened.run(job, mine.stop.signal, talks ? begin : undefined);
}

async function answer(call: number, carryOut: (mine: Going) => Promise<Finished | GitOutcome>): Promise<void> {
  const mine: Going = { stop: createStop() };
  going.set(call, mine);
  try {
    say({ type: 'finished', call, result: await carryOut(mine) });
  } catch (error) {
    say({ type: 'failed', call, failure: failureOf(error) });
  } finally {
    going.delete(call);
  }
}

function failureOf(error: unknown): CallFailure {
  if (error instanceof InputError) return { message: error.message, next: error.next };
  return { message: messageOf(error), stack: error instanceof Error ? error.stack : undefined };
}

function say(message: FromLauncher): void {
  // Its engine may go at any time: then nobody is left to be told.
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}
