/**
 * One owner per sprint (I1). The kernel holds the lock and lets it go when its process ends, however that ends: an
 * abstract socket on Linux, a named pipe on Windows, an exclusively opened file on macOS. Pid files are not used: of those
 * that are taken over from a dead process, two can think that they won.
 */
import { createHash } from 'node:crypto';
import { constants, mkdir, open, readFile, realpath, type FileHandle } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { InputError } from '../engine/ground/errors.ts';
import { codeOf, unlessMissing } from './disk.ts';
import { stateFolder } from './state-folder.ts';

export interface Lock {
  /** Until it is released. */
  held(): boolean;
  release(): Promise<void>;
}

/** @throws InputError when the sprint is running already, naming the process that runs it if that answers. */
export async function acquireLock(sprintDir: string): Promise<Lock> {
  const sprint = await unlessMissing(realpath(sprintDir));
  if (sprint === undefined) throw new InputError(`There is no folder ${sprintDir}.`, 'Name the folder that holds VISION.md and PRD.md.');
  const name = nameOf(sprint);
  const result = process.platform === 'darwin' ? await lockFile(name) : await lockSocket(addressOf(name));
  if ('held' in result) return result;
  const { holder } = result;
  throw new InputError(
    `The sprint in ${sprintDir} is already running${holder ? `, in process ${holder}` : ''}.`,
    `Follow it or cancel it there, then run the command again.${holder ? '' : ' If no window answers, end the process that hangs.'}`,
  );
}

/** Somebody has it. */
export interface Taken {
  /** Its process; undefined where that does not answer. */
  holder: number | undefined;
}

/** Who holds a sprint's lock now, without taking it; undefined where nobody does, also after a process that was killed. */
export async function inspectLock(sprintDir: string): Promise<Taken | undefined> {
  const sprint = await unlessMissing(realpath(sprintDir));
  if (sprint === undefined) return undefined;
  const name = nameOf(sprint);
  if (process.platform !== 'darwin') return askHolder(addressOf(name));
  // There is no question but the attempt, which is over at once.
  const result = await lockFile(name);
  if (!('held' in result)) return result;
  await result.release();
  return undefined;
}

/** @param sprint canonical. */
function nameOf(sprint: string): string {
  return createHash('sha512').update(sprint).digest('hex');
}

function addressOf(name: string): string {
  if (process.platform === 'win32') return `\\\\.\\pipe\\loop-${name.slice(0, 64)}`;
  // All 108 bytes: libuv before 1.48 pads a shorter name with zeros, so that two versions of Node would not meet.
  return `\0loop-${name}`.slice(0, 108);
}

async function lockSocket(address: string): Promise<Lock | Taken> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.unref().end(String(process.pid), () => socket.destroy());
  });
  try {
    await listening(server, address);
  } catch (error) {
    if (codeOf(error) !== 'EADDRINUSE') throw error;
    return (await askHolder(address)) ?? { holder: undefined };
  }
  server.unref();
  return { held: () => server.listening, release: () => closed(server) };
}

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    // Stays: an error while accepting must not end the process.
    server.on('error', reject);
    server.listen({ path, exclusive: true }, resolve);
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => void server.close(() => resolve()));
}

/** Its process number, if it says so in half a second; undefined where nothing listens. */
function askHolder(address: string): Promise<Taken | undefined> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(address);
    let connected = false;
    const finish = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(connected ? { holder: processNumber(answer) } : undefined);
    };
    const timer = setTimeout(finish, 500);
    socket.setEncoding('utf8').on('data', (text: string) => (answer = (answer + text).slice(0, 20)));
    socket.on('connect', () => (connected = true));
    socket.on('error', finish).on('end', finish);
  });
}

/** `O_EXLOCK`, which Node passes on and has no name for: the file is opened and locked in one step. macOS only. */
const exclusiveLock = 0x20;

async function lockFile(name: string): Promise<Lock | Taken> {
  const folder = join(stateFolder(), 'locks');
  await mkdir(folder, { recursive: true });
  const path = join(folder, name.slice(0, 32));
  let file: FileHandle;
  try {
    file = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | exclusiveLock);
  } catch (error) {
    if (codeOf(error) !== 'EAGAIN') throw error;
    return { holder: processNumber(await readFile(path, 'utf8')) };
  }
  await file.truncate();
  await file.write(String(process.pid));
  let held = true;
  const release = async (): Promise<void> => {
    if (held) await file.close();
    held = false;
  };
  return { held: () => held, release };
}

function processNumber(text: string): number | undefined {
  return /^\d+$/.test(text) ? Number(text) : undefined;
}
