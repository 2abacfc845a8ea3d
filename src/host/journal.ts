/**
 * The journal file of a sprint, `<sprint>/.loop/journal.jsonl`: the only record, with one writer (I1). An event is on disk
 * when `append` returns (I2). Nothing in the file is rewritten; only a torn last line is cut off, and a copy of it is kept.
 *
 * The lock (`lock.ts`) keeps a second writer out. It cannot do so between a container and its host. There the *owner* number
 * helps: each opening takes the next one, and a writer stops when the file is not as it left it.
 */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { constants, copyFile, open, readFile, truncate, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Bug, InputError, Interruption } from '../engine/ground/errors.ts';
import type { Event } from '../engine/state/events.ts';
import type { Journal } from '../engine/ports.ts';
import { codeOf, failedWrite, ifThere, ShortWrite, syncFolder, unlessMissing, writeWhole } from './disk.ts';
import { decodeLines, encodeLine, firstNumber, type Decoded } from './journal-lines.ts';

export { firstNumber } from './journal-lines.ts';

export interface JournalOptions {
  /** False leaves out the fsync, for simulations: a power cut may then take events back. */
  durable?: boolean;
}

export interface OpenJournal extends Journal {
  /** The events in the file when it was opened. */
  readonly events: readonly Event[];
  /** Its first line, byte for byte, whichever version of Loop wrote it; empty in a new journal. */
  readonly firstLine: Buffer;
  /** Fencing number for this writer's events, greater than all before. */
  readonly owner: number;
  /** A torn last line that was cut off, with the path of its copy. */
  readonly dropped: { bytes: number; copy: string } | null;
  close(): Promise<void>;
}

/**
 * Opens the journal to append to it. Creates an empty file where there is none, but no folder.
 * @throws InputError for damage: the file stays as it is, and a copy is kept beside it. Interruption when it cannot be written.
 */
export async function openJournal(path: string, { durable = true }: JournalOptions = {}): Promise<OpenJournal> {
  const bytes = await unlessMissing(readFile(path));
  const { events, whole } = bytes ? await decodeOrKeep(path, bytes) : { events: [], whole: 0 };
  const firstLine = bytes?.subarray(0, bytes.indexOf('\n') + 1) ?? Buffer.alloc(0);
  const last = events.at(-1) ?? { n: firstNumber - 1, owner: 0 };
  const owner = last.owner + 1;
  try {
    const dropped = bytes && whole < bytes.length ? await dropTail(path, bytes, whole) : null;
    const file = await openToAppend(path, durable);
    const { ino, dev } = await file.stat();
    const writer = new Writer(path, file, { durable, owner, n: last.n, size: whole, ino, dev });
    return { events, firstLine, owner, dropped, append: (event) => writer.append(event), close: () => writer.close() };
  } catch (error) {
    throw failedWrite(path, error);
  }
}

/**
 * Reads a journal that another process may be writing. A missing file has no events.
 * @returns `dropped`: bytes of a last line that is torn or not yet complete.
 * @throws InputError for any other damage.
 */
export async function readJournal(path: string): Promise<{ events: Event[]; dropped: number }> {
  const bytes = await unlessMissing(readFile(path));
  if (!bytes) return { events: [], dropped: 0 };
  const { events, whole } = decodeLines(bytes, path);
  return { events, dropped: bytes.length - whole };
}

interface Position {
  durable: boolean;
  owner: number;
  /** Number of the last event. */
  n: number;
  /** The size that the file must have: the bytes read at opening and those appended since. */
  size: number;
  ino: number;
  dev: number;
}

class Writer implements Journal {
  private queue: Promise<void> = Promise.resolve();
  private broken: Error | undefined;
  private closed = false;

  constructor(
    private readonly path: string,
    private readonly file: FileHandle,
    private readonly at: Position,
  ) {}

  append(event: Event): Promise<void> {
    const done = this.queue.then(() => this.write(event));
    this.queue = done.catch(() => undefined);
    return done;
  }

  async close(): Promise<void> {
    await this.queue;
    if (this.closed) return;
    this.closed = true;
    await this.file.close();
  }

  private async write(event: Event): Promise<void> {
    if (this.broken) throw this.broken;
    if (this.closed) throw new Bug('append to a closed journal');
    const line = this.line(event);
    try {
      this.fence();
      const { bytesWritten } = await this.file.write(line);
      if (bytesWritten !== line.length) throw new ShortWrite(bytesWritten, line.length);
      if (this.at.durable) await this.file.datasync();
    } catch (error) {
      // After a failed fsync the kernel may mark the lost pages as clean, so a second fsync would prove nothing.
      this.broken = failedWrite(this.path, error);
      this.closed = true;
      await this.file.close().catch(() => undefined);
      throw this.broken;
    }
    this.at.size += line.length;
    this.at.n = event.n;
  }

  private line(event: Event): Buffer {
    const { n, owner } = this.at;
    if (event.n !== n + 1) throw new Bug(`event ${event.n} is appended after event ${n}`);
    if (event.owner !== owner) throw new Bug(`event of owner ${event.owner} is appended by owner ${owner}`);
    return encodeLine(event);
  }

  /** @throws Interruption if another process wrote, replaced or removed the file since the last append. */
  private fence(): void {
    const now = ifThere(() => statSync(this.path));
    if (!now || now.ino !== this.at.ino || now.dev !== this.at.dev) throw lost(`${this.path} was moved or replaced`);
    if (now.size !== this.at.size) throw lost(`${this.path} was changed by another process`);
  }
}

function lost(what: string): Interruption {
  return new Interruption('lost-lock', `${what} while this sprint was running; it stops here and writes nothing more.`);
}

async function decodeOrKeep(path: string, bytes: Buffer): Promise<Decoded> {
  try {
    return decodeLines(bytes, path);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const copy = `${path}.damaged-${createHash('sha256').update(bytes).digest('hex').slice(0, 8)}`;
    const kept = await copyFile(path, copy, constants.COPYFILE_EXCL).catch(codeOf);
    throw new InputError(error.message, kept && kept !== 'EEXIST' ? error.next : `${error.next} A copy of it as it is now: ${copy}.`);
  }
}

async function dropTail(path: string, bytes: Buffer, whole: number): Promise<{ bytes: number; copy: string }> {
  const tail = bytes.subarray(whole);
  const copy = await keepCopy(`${path}.torn`, tail);
  await truncate(path, whole);
  return { bytes: tail.length, copy };
}

async function keepCopy(stem: string, bytes: Uint8Array): Promise<string> {
  for (let number = 1; ; number += 1) {
    const copy = `${stem}-${number}`;
    try {
      await writeWhole(copy, bytes, true);
      return copy;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }
}

/** Does not follow a link, because a repository could have put one there. */
async function openToAppend(path: string, durable: boolean): Promise<FileHandle> {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  const file = await open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW);
  if (durable) {
    await file.sync();
    await syncFolder(dirname(path));
  }
  return file;
}
