/** A folder that a command is given is looked at once for all commands, before any of them reads in it. */
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { InputError } from '../engine/ground/errors.ts';
import { codeOf } from '../host/disk.ts';
import type { Command } from './arguments.ts';

/** What a sprint's folder lacks, or that it is not there, each command says in its own words. @throws InputError */
export async function requireFolders(command: Command): Promise<void> {
  for (const dir of sprintDirsOf(command)) await requireNoFile(dir);
  if (!('folder' in command)) return;
  const folder = resolve(command.folder);
  if (!(await requireNoFile(folder))) throw new InputError(`There is no folder ${folder}.`, 'Give a folder of your repository.');
}

function sprintDirsOf(command: Command): readonly string[] {
  if ('sprintDirs' in command) return command.sprintDirs;
  return 'sprintDir' in command ? [command.sprintDir] : [];
}

/** @returns whether something is there. */
async function requireNoFile(path: string): Promise<boolean> {
  const found = await stat(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOTDIR') throw new InputError(`There can be no folder ${path}: a file is in the way.`, 'Give another folder.');
  });
  if (!found || found.isDirectory()) return found !== undefined;
  throw new InputError(`${path} is a file, not a folder.`, `Give the folder, such as ${dirname(path)}.`);
}
