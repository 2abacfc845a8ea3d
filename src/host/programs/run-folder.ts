/**
 * The folder of one run of a program, below the state folder. It holds a copy of the person's login, so its name says whose it is, and
 * what a dead process left is removed at the next start.
 */
import { mkdir, mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFolder } from '../git/remove-folder.ts';
import { isAlive, processOf } from '../sandbox/port-holder.ts';
import { stateFolder } from '../state-folder.ts';

export async function makeRunFolder(): Promise<string> {
  const all = join(stateFolder(), 'programs');
  await mkdir(all, { recursive: true, mode: 0o700 });
  for (const name of await readdir(all)) {
    const [, pid, begun = ''] = /^(\d+)-(\d+)-/.exec(name) ?? [];
    if (!isAlive({ pid: Number(pid), begun })) await removeFolder(join(all, name));
  }
  return mkdtemp(join(all, `${process.pid}-${processOf(process.pid)?.begun ?? 0}-`));
}
