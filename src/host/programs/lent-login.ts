/**
 * The login of a program, lent to one sandbox: a copy in a folder of its own, since the rest of its folder holds what the person's
 * own runs act on, such as hooks. What the program renews is put back at once, or the person's login would be worth nothing.
 */
import { chmodSync, closeSync, ftruncateSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { messageOf } from '../../engine/ground/errors.ts';
import { codeOf } from '../disk.ts';
import { realPath } from '../sandbox/places.ts';

export interface LentLogin {
  /** Folder of the host, in which the file stands under its own name. */
  folder: string;
  /** Whether the person has another login by now than what was lent, or put back since. */
  isOutdated(): boolean;
  /** Puts back what was renewed until now, and looks no more. */
  end(): void;
}

const pollMs = 1000;

/** @param folder one that nobody else uses. @param tell is told once where what was renewed cannot be put back. */
export function lendLogin(file: string, folder: string, tell: (note: string) => void): LentLogin {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const copy = join(folder, basename(file));
  let known = textOf(file);
  if (known !== undefined) writeFileSync(copy, known, { mode: 0o600 });
  let isTold = false;
  const putBack = (): void => {
    const renewed = textOf(copy);
    if (renewed === undefined || renewed === known || !isWhole(renewed)) return;
    try {
      // Where another run of the program was first, its login is the newer one.
      if (textOf(file) === known) replace(file, renewed);
      known = renewed;
    } catch (error) {
      // Nobody catches in a timer, and the next look tries again.
      if (!isTold) tell(stuckWords(file, error));
      isTold = true;
    }
  };
  const timer = setInterval(putBack, pollMs);
  timer.unref();
  return {
    folder,
    isOutdated: () => textOf(file) !== known,
    end() {
      clearInterval(timer);
      putBack();
    },
  };
}

function stuckWords(file: string, error: unknown): string {
  return `Your login was renewed and cannot be put back into ${file}: ${messageOf(error)}. Make room or let it be written while this runs; else log in again afterwards.`;
}

/** Where the person's file is a link, it stays one. */
function replace(link: string, text: string): void {
  const file = realPath(link) ?? link;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const next = `${file}.loop`;
  try {
    writeFileSync(next, text, { mode: 0o600 });
    chmodSync(next, 0o600);
    renameSync(next, file);
  } catch (error) {
    rmSync(next, { force: true });
    if (!onlyInPlace.includes(codeOf(error) ?? '')) throw error;
    writeInPlace(file, text);
  }
}

/** A file that is mounted by itself, as in a container, or whose folder may not be written. */
const onlyInPlace = ['EBUSY', 'EROFS', 'EACCES', 'EPERM'];

/** It is not emptied first: where nothing can be written, what is there stays. */
function writeInPlace(file: string, text: string): void {
  const handle = openSync(file, 'r+');
  try {
    writeFileSync(handle, text);
    ftruncateSync(handle, Buffer.byteLength(text));
  } finally {
    closeSync(handle);
  }
}

/** A file that is being written is not put back. */
function isWhole(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
