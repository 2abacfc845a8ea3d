/**
 * The lock of a sprint: one owner at a time (I1). The operating system releases it when the process ends, however that ends. It
 * is an abstract socket on Linux, a named pipe on Windows and an exclusively opened file on macOS. A pid file would not do: when
 * two processes take one over from a dead process, both can believe that they won.
 */
import { createHash } from 'node:crypto';
import { constants, mkdir, open, readFile, realpath, type FileHandle } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { InputError, Refusal } from '../engine/ground/errors.ts';
import { codeOf, unlessMissing } from './disk.ts';
import { stateFolder } from './state-folder.ts';

export interface Lock {
  release(): Promise<void>;
}

/**
 * @param patience milliseconds to wait for an owner that may be ending.
 * @throws Refusal when the sprint is running already, with the id of that process if it answers; InputError for no folder.
 */
export async function acquireLock(sprintDir: string, patience = 0): Promise<Lock> {
  const sprint = await unlessMissing(realpath(sprintDir));
  if (sprint === undefined) throw new InputError(`There is no folder ${sprintDir}.`, 'Name the folder that holds VISION.md and PRD.md.');
  const name = nameOf(sprint);
  const attempt = (): Promise<Lock | Taken> => (process.platform === 'darwin' ? lockFile(name) : lockSocket(addressOf(name)));
  let result = await attempt();
  for (const end = performance.now() + patience; !('release' in result) && performance.now() < end; result = await attempt())
    await delay(pause);
  if ('release' in result) return result;
  const { holder } = result;
  throw new Refusal(
    `The sprint in ${sprintDir} is already running${holder ? `, in process ${holder}` : ''}.`,
    `Follow it or cancel it there, then run the command again.${holder ? '' : ' If no window answers, end the process that hangs.'}`,
  );
}

/** Milliseconds between two attempts. */
const pause = 100;

/** Another process holds the lock. */
export interface Taken {
  /** Its process id; undefined where it does not answer. */
  holder: number | undefined;
}

/** Looks up who holds a sprint's lock, without taking it. Undefined where nobody does, also after a killed process. */
export async function inspectLock(sprintDir: string): Promise<Taken | undefined> {
  const sprint = await unlessMissing(realpath(sprintDir));
  if (sprint === undefined) return undefined;
  const name = nameOf(sprint);
  if (process.platform !== 'darwin') return askHolder(addressOf(name));
  // On macOS the only way to find out is to try, and to release at once.
  const result = await lockFile(name);
  if (!('release' in result)) return result;
  await result.release();
  return undefined;
}

/** @param sprint canonical path. */
function nameOf(sprint: string): string {
  return createHash('sha512').update(sprint).digest('hex');
}

function addressOf(name: string): string {
  if (process.platform === 'win32') return `\\\\.\\pipe\\loop-${name.slice(0, 64)}`;
  // Uses all 108 bytes: libuv before 1.48 pads a shorter name with zeros, so two versions of Node would not share the lock.
  return `\0loop-${name}`.slice(0, 108);
}

async function lockSocket(address: string): Promise<Lock | Taken> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.unref().end(String(process.pid), () => socket.destroy());
  });
  try {
    await listen(server, address);
  } catch (error) {
    if (codeOf(error) !== 'EADDRINUSE') throw error;
    return (await askHolder(address)) ?? { holder: undefined };
  }
  server.unref();
  return { release: () => close(server) };
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    // This listener stays, because a later error while accepting must not end the process.
    server.on('error', reject);
    server.listen({ path, exclusive: true }, resolve);
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => void server.close(() => resolve()));
}

/** Waits half a second for the holder's process id. Undefined where nothing listens. */
function askHolder(address: string): Promise<Taken | undefined> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(address);
    let connected = false;
    const finish = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(connected ? { holder: parsePid(answer) } : undefined);
    };
    const timer = setTimeout(finish, 500);
    socket.setEncoding('utf8').on('data', (text: string) => (answer = (answer + text).slice(0, 20)));
    socket.on('connect', () => (connected = true));
    socket.on('error', finish).on('end', finish);
  });
}

/** `O_EXLOCK` of macOS, which opens and locks a file in one step. Node passes it on but has no name for it. */
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
    return { holder: parsePid(await readFile(path, 'utf8')) };
  }
  await file.truncate();
  await file.write(String(process.pid));
  let held = true;
  const release = async (): Promise<void> => {
    if (held) await file.close();
    held = false;
  };
  return { release };
}

function parsePid(text: string): number | undefined {
  return /^\d+$/.test(text) ? Number(text) : undefined;
}
