/**
 * Files that a person supplies for a sprint and that are never committed. They are copied once from the person's checkout into
 * a store beside the worktree. From there they go into the worktree, again after each undo, and into scratch checkouts. So no
 * agent can change what the next one gets.
 */
import { createReadStream } from 'node:fs';
import { lstat, mkdir, readdir, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { InputError, messageOf } from '../../engine/ground/errors.ts';
import { codeOf, failedWrite, replaceFile, unlessMissing } from '../disk.ts';
import { removeInside, segmentsOf, writeInside } from './inside.ts';
import { removeFolder } from './remove-folder.ts';

export class Inputs {
  private readonly list: string;
  private readonly store: string;
  /** @param state folder of the sprint. @param checkout root of the person's checkout. */
  constructor(
    private readonly state: string,
    private readonly checkout: string,
  ) {
    this.list = join(state, 'inputs.json');
    this.store = join(state, 'inputs');
  }

  /** The paths that were supplied, files and folders. @throws InputError where the list is damaged. */
  async paths(): Promise<string[]> {
    const text = await unlessMissing(readFile(this.list, 'utf8'));
    return text === undefined ? [] : this.parse(text);
  }

  /** A list that is lost must not count as empty: what was supplied would be committed. */
  private parse(text: string): string[] {
    try {
      return z.array(z.string()).parse(JSON.parse(text));
    } catch {
      throw new InputError(
        `${this.list} is damaged: it lists what you supplied.`,
        `Write the paths below ${this.store} into it, as in ["data/prices.csv"], then run the same command again.`,
      );
    }
  }

  /** Returns the paths that the checkout does not have. Reads and copies nothing; a link counts as present. */
  async missing(paths: string[]): Promise<string[]> {
    const found = await Promise.all(paths.map((path) => lstat(join(this.checkout, ...segmentsOf(path))).catch(() => undefined)));
    return paths.filter((_, index) => !found[index]);
  }

  /** Copies files or folders into the store. @returns those that the checkout does not have. @throws InputError for a link, or where it fails. */
  async take(paths: string[]): Promise<string[]> {
    const missing: string[] = [];
    const supplied = new Set(await this.paths());
    for (const path of paths) {
      const names = segmentsOf(path);
      if (names.length === 0) throw refused(path, 'is the whole repository');
      const found = await this.copy(names, path).catch((error: unknown) => this.giveUp(names, error));
      if (found) supplied.add(names.join('/'));
      else missing.push(path);
    }
    await mkdir(this.state, { recursive: true, mode: 0o700 });
    await replaceFile(this.list, Buffer.from(JSON.stringify([...supplied].sort())), { durable: true });
    return missing;
  }

  /** Copies all of them from the store into a work tree. @throws Interruption `failed-write`. */
  async putInto(tree: string): Promise<void> {
    for (const path of await this.paths()) {
      for await (const file of filesBelow(this.store, path)) {
        const stat = await lstat(join(this.store, file));
        await clearWay(tree, file);
        await writeInside(tree, file, bytesOf(join(this.store, file)), stat.mode & 0o777).catch((error: unknown) => {
          throw failedWrite(join(tree, file), error);
        });
      }
    }
  }

  /** Copies from the checkout into the store; false if there is nothing. Refuses a link at any name of the path. */
  private async copy(names: string[], shown: string): Promise<boolean> {
    const root = await realpath(this.checkout);
    for (let depth = 1; depth <= names.length; depth++) {
      const stat = await lstat(join(root, ...names.slice(0, depth))).catch(() => undefined);
      if (!stat) return false;
      if (stat.isSymbolicLink()) throw refused(shown, 'goes through a link');
    }
    const path = names.join('/');
    await removeFolder(join(this.store, path));
    await mkdir(this.store, { recursive: true, mode: 0o700 });
    for await (const file of filesBelow(root, path)) {
      const stat = await lstat(join(root, file));
      if (!stat.isFile()) throw refused(file, stat.isSymbolicLink() ? 'is a link' : 'is not a file');
      segmentsOf(file);
      await clearWay(this.store, file);
      await writeInside(this.store, file, bytesOf(join(root, file)), stat.mode & 0o777);
    }
    return true;
  }

  /** Part of a file is none, and may be what fills the disk. */
  private async giveUp(names: string[], error: unknown): Promise<never> {
    const path = names.join('/');
    if (codeOf(error) === undefined) throw error;
    await removeFolder(join(this.store, path));
    throw new InputError(
      `The input "${path}" cannot be copied into ${this.store}: ${messageOf(error)}.`,
      'See that you may read it and that there is room for it, then try again.',
    );
  }
}

/** Opened when its first piece is asked for. */
async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path, { highWaterMark: 2 ** 20 }) as AsyncIterable<Uint8Array>;
}

/** A file itself, or all files below a folder. */
async function* filesBelow(root: string, path: string): AsyncGenerator<string> {
  const stat = await lstat(join(root, path)).catch(() => undefined);
  if (!stat?.isDirectory()) {
    if (stat) yield path;
    return;
  }
  for (const name of await readdir(join(root, path))) yield* filesBelow(root, `${path}/${name}`);
}

/** Removes an entry that has the file's name, and anything above it that is not a folder. */
async function clearWay(root: string, path: string): Promise<void> {
  const names = path.split('/');
  for (let depth = 1; depth <= names.length; depth++) {
    const at = join(root, ...names.slice(0, depth));
    const stat = await lstat(at).catch(() => undefined);
    if (!stat) return;
    const last = depth === names.length;
    if (last || !stat.isDirectory()) await removeInside(root, names.slice(0, depth).join('/'));
  }
}

function refused(path: string, why: string): InputError {
  return new InputError(`The input "${path}" ${why}.`, 'Put a plain file there, inside the repository.');
}
