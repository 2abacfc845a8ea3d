#!/usr/bin/env node
/** The command line: parses, runs one command, and describes an error in one paragraph with the next step. */
import { isatty } from 'node:tty';
import { fileURLToPath } from 'node:url';
import { canKeepAwake, keepAwake } from '../host/awake.ts';
import { setGuard } from '../host/guard.ts';
import { readSprint } from '../host/sprint.ts';
import { createStop } from '../host/stop.ts';
import { adopt } from './adopt.ts';
import { amend } from './amend.ts';
import { clean } from './clean.ts';
import { makeSprint } from './new.ts';
import { parseCommand, type Command } from './arguments.ts';
import { codeOfError, exitCodes } from './exit-codes.ts';
import { explain } from './explain.ts';
import { finish } from './finish.ts';
import { requireFolders } from './folders.ts';
import { list } from './list.ts';
import { lint } from './lint.ts';
import { ownVersion } from './own-version.ts';
import { pipeline } from './pipeline.ts';
import { plain } from './plain.ts';
import { runQueue } from './queue.ts';
import { run, type Streams } from './run.ts';
import { status } from './status.ts';
import { sayAtOnce } from './say.ts';
import { usage } from './usage.ts';
import { verify } from './verify.ts';

const streams: Streams = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
};

/** As `nohup` starts it: no terminal that closes is its own. That it was to ignore SIGHUP cannot be read, since Node resets that. */
const isDetached = ![0, 1, 2].some((stream) => isatty(stream));

void main(process.argv.slice(2));

async function main(argv: string[]): Promise<void> {
  // Where nothing keeps this process alive before its command ended, that is no delivery.
  process.exitCode = exitCodes.failed;
  const stop = createStop();
  let command: Command | undefined;
  let letSleep: (() => void) | undefined;
  // The first one stops in good order, the second one ends at once; a server leaves nothing half done.
  const onSignal = (name: NodeJS.Signals): void => {
    if (stop.signal.aborted || isServer(command)) process.exit(exitCodes.cancelled);
    stop.abort();
    streams.err(`Told to stop (${name}): ends where nothing is left half done. A second time ends it at once.\n`);
  };
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, onSignal);
  process.on('SIGHUP', (name) => (isDetached && !isServer(command) ? undefined : onSignal(name)));
  // Nobody sees more lines: what runs stops in good order, and can be resumed.
  const onBroken = ({ code, message }: NodeJS.ErrnoException): void => {
    if (isServer(command)) process.exit(exitCodes.failed);
    const isFirst = !stop.signal.aborted;
    stop.abort();
    // A reader that left (`| head`) has all that it needs; a terminal that is gone and a full disk lose what was printed.
    if (code === 'EPIPE' || !isFirst) return;
    process.once('exit', (ended) => void (process.exitCode = ended || exitCodes.failed));
    streams.err(`Loop stops, because its output cannot be written: ${message}.\n`);
  };
  for (const stream of [process.stdout, process.stderr]) stream.on('error', onBroken);
  try {
    command = parseCommand(argv);
    await requireFolders(command);
    if ('awake' in command && command.awake) letSleep = await stayAwake();
    process.exitCode = await dispatch(command, stop.signal);
  } catch (error) {
    streams.err(`${plain(explain(error))}\n`);
    const state = command && 'sprintDir' in command ? await readSprint(command.sprintDir).catch(() => undefined) : undefined;
    process.exitCode = codeOfError(error, state);
  } finally {
    letSleep?.();
  }
}

/** It answers a client for as long as that wants. */
function isServer(command: Command | undefined): boolean {
  return command?.name === 'lsp' || command?.name === 'mcp';
}

/** @returns how to let it sleep again. */
async function stayAwake(): Promise<() => void> {
  if (await canKeepAwake()) return keepAwake();
  streams.err('This machine cannot be kept awake: systemd-inhibit does not work here.\n');
  return () => undefined;
}

async function dispatch(command: Command, signal: AbortSignal): Promise<number> {
  switch (command.name) {
    case 'help':
      streams.out(usage);
      return exitCodes.delivered;
    case 'version':
      streams.out(`${await ownVersion()}\n`);
      return exitCodes.delivered;
    case 'run':
      return run(command, streams, signal);
    case 'lint':
      return lint(command, streams);
    case 'lsp': {
      // Loaded when it is needed: no other command does.
      const { lsp } = await import('./lsp.ts');
      return lsp();
    }
    case 'mcp': {
      const { mcp } = await import('./mcp.ts');
      return mcp(command.folder);
    }
    case 'status':
      return status(command, (text) => streams.out(text));
    case 'verify':
      return verify(command, streams, signal);
    case 'adopt':
      return adopt(command, streams);
    case 'new':
      return makeSprint(command, streams);
    case 'amend':
      return amend(command, streams);
    case 'pause':
      return sayAtOnce(command.sprintDir, { kind: 'pause' }, streams);
    case 'skip':
      return sayAtOnce(command.sprintDir, { kind: 'skip', task: command.task }, streams);
    case 'retry':
      return sayAtOnce(command.sprintDir, { kind: 'retry', task: command.task, hint: command.hint }, streams);
    case 'approve':
      return sayAtOnce(command.sprintDir, { kind: 'approve' }, streams);
    case 'answer':
      return sayAtOnce(command.sprintDir, { kind: 'answer', about: command.about, answers: command.answers }, streams);
    case 'change':
      return sayAtOnce(command.sprintDir, { kind: 'change', task: command.task, change: command.change }, streams);
    case 'tell':
      return sayAtOnce(command.sprintDir, { kind: 'tell', words: command.words, about: command.about }, streams);
    case 'queue':
      return runQueue(command, streams, signal);
    case 'list':
      return list(command, streams);
    case 'clean':
      return clean(command, streams);
    case 'pipeline':
      return pipeline(command, streams, signal);
    case 'guard': {
      const cli = fileURLToPath(import.meta.url);
      streams.out(`${plain(await setGuard(command.sprintDir, command.on, { node: process.execPath, cli }))}\n`);
      return exitCodes.delivered;
    }
    case 'finish':
      return finish(command, streams, signal);
  }
}
