/**
 * The process that runs an engine's sandboxes (docs/decisions/0024). To fork is to copy the tables of one's memory: an editor's
 * extension host has much of it, this process little. It ends with its engine, and with it whatever it runs.
 */
import type { Writable } from 'node:stream';
import { Bug, InputError, messageOf } from '../../engine/errors.ts';
import { createStop } from '../stop.ts';
import { createVariables } from '../variables.ts';
import { createRunner, type Conversation, type TalkingRunner } from './runner.ts';
import type { FromRunner, RemoteOptions, RunFailure, ToRunner } from './runner-messages.ts';

interface Going {
  stop: AbortController;
  stdin?: Writable;
}

const going = new Map<number, Going>();
let runner: TalkingRunner | undefined;

process.on('message', (message: ToRunner) => {
  if (message.type === 'open') runner = open(message.options);
  else if (message.type === 'run') void carryOut(message);
  else if (message.type === 'abort') going.get(message.run)?.stop.abort();
  else if (message.chunk === null) going.get(message.run)?.stdin?.end();
  else going.get(message.run)?.stdin?.write(message.chunk);
});

// Its engine is gone: with what runs here, this process ends.
process.on('disconnect', () => {
  for (const { stop } of going.values()) stop.abort();
});

function open({ variables, ...options }: RemoteOptions): TalkingRunner {
  const named = createVariables(Object.keys(variables), variables);
  return createRunner({ ...options, variables: named });
}

async function carryOut({ run, job, talks }: Extract<ToRunner, { type: 'run' }>): Promise<void> {
  const mine: Going = { stop: createStop() };
  going.set(run, mine);
  const begin = ({ stdin, output, root, port }: Conversation): void => {
    mine.stdin = stdin;
    say({ type: 'begun', run, root, port });
    output.on('data', (chunk: Buffer) => say({ type: 'output', run, chunk }));
  };
  try {
    if (!runner) throw new Bug('a run came before what it is run with');
    say({ type: 'finished', run, finished: await runner.run(job, mine.stop.signal, talks ? begin : undefined) });
  } catch (error) {
    say({ type: 'failed', run, failure: failureOf(error) });
  } finally {
    going.delete(run);
  }
}

function failureOf(error: unknown): RunFailure {
  if (error instanceof InputError) return { message: error.message, next: error.next };
  return { message: messageOf(error), stack: error instanceof Error ? error.stack : undefined };
}

function say(message: FromRunner): void {
  // Its engine may go at any time: then nobody is left to be told.
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}
