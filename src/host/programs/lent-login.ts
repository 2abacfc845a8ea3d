/**
 * The login of a program, lent to one sandbox: a copy in a folder of its own, since the rest of its folder holds what the person's
 * own runs act on, such as hooks. What the program renews is put back at once, or the person's login would be worth nothing.
 */
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { realPath } from '../sandbox/places.ts';

export interface LentLogin {
  /** Folder of the host, in which the file stands under its own name. */
  folder: string;
  /** Puts back what was renewed until now, and looks no more. */
  end(): void;
}

const pollMs = 1000;

/** @param folder one that nobody else uses. */
export function lendLogin(file: string, folder: string): LentLogin {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const copy = join(folder, basename(file));
  let known = textOf(file);
  if (known !== undefined) writeFileSync(copy, known, { mode: 0o600 });
  const putBack = (): void => {
    const renewed = textOf(copy);
    if (renewed === undefined || renewed === known || !isWhole(renewed)) return;
    // Where another run of the program was first, its login is the newer one.
    if (textOf(file) === known) replace(file, renewed);
    known = renewed;
  };
  const timer = setInterval(putBack, pollMs);
  timer.unref();
  return {
    folder,
    end() {
      clearInterval(timer);
      putBack();
    },
  };
}

/** Where the person's file is a link, it stays one. */
function replace(link: string, text: string): void {
  const file = realPath(link) ?? link;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const next = `${file}.loop`;
  writeFileSync(next, text, { mode: 0o600 });
  chmodSync(next, 0o600);
  renameSync(next, file);
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
