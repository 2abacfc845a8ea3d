/**
 * Reads and writes renderings below `.loop` (I1). They are written from state whenever it changes, so they must be whole but need
 * no fsync. Journal, payloads and everything outside the folder are out of reach.
 */
import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { lstat, rename } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { Bug, InputError } from '../engine/ground/errors.ts';
import { failedWrite, ifThere, makeFolders, replaceFile, unlessMissing } from './disk.ts';

export interface Shelf {
  write(path: string, text: string): Promise<void>;
  read(path: string): Promise<string | undefined>;
  /** `<name>.edited-<n>.<ext>` beside a file, with the first `n` that is free. */
  freeName(path: string): Promise<string>;
  /** Renames a file to its free name. */
  setAside(path: string): Promise<void>;
}

/**
 * @param loopFolder the sprint's `.loop`, which must exist.
 * Each call throws Bug for a path that is not plainly inside, and InputError for a link in the path. `write` throws
 * Interruption `failed-write`; the old file is then still whole.
 */
export function openShelf(loopFolder: string): Shelf {
  const freeName = async (path: string): Promise<string> => {
    const { dir, name, ext } = posix.parse(namesOf(path).join('/'));
    for (let n = 1; ; n += 1) {
      const free = posix.join(dir, `${name}.edited-${n}${ext}`);
      if (!(await unlessMissing(lstat(join(loopFolder, free))))) return free;
    }
  };
  return {
    async write(path, text) {
      const names = namesOf(path);
      const folder = await makeFolders(loopFolder, names.slice(0, -1), { durable: false });
      const target = join(folder, names.at(-1) ?? '');
      const bytes = Buffer.from(text);
      try {
        const found = ifThere(() => readPlain(target));
        if (!found?.equals(bytes)) await replaceFile(target, bytes, { durable: false });
      } catch (error) {
        throw failedWrite(target, error);
      }
    },
    async read(path) {
      const names = namesOf(path);
      const target = join(loopFolder, ...names);
      return ifThere(() => {
        const folder = realpathSync.native(dirname(target));
        if (folder !== dirname(join(realpathSync.native(loopFolder), ...names))) throw linked(dirname(target));
        return readPlain(target).toString('utf8');
      });
    },
    freeName,
    async setAside(path) {
      await rename(join(loopFolder, path), join(loopFolder, await freeName(path)));
    },
  };
}

/** Splits a path into names, each of which is a single name on every file system. */
function namesOf(path: string): string[] {
  const names = path.split('/');
  const odd = names.some((name) => name === '' || name === '.' || name === '..' || /[\\:\0]/.test(name));
  if (odd) throw new Bug(`"${path}" is not a path inside .loop`);
  const first = (names[0] ?? '').toLowerCase();
  if (first === 'payloads' || first.startsWith('journal.jsonl')) throw new Bug(`"${path}" is the record, not a rendering`);
  return names;
}

function readPlain(path: string): Buffer {
  if (lstatSync(path).isSymbolicLink()) throw linked(path);
  return readFileSync(path);
}

function linked(path: string): InputError {
  return new InputError(`${path} is a link; Loop keeps its own files there.`, 'Move it away, then run the command again.');
}
