/**
 * An overlay shows a tree and takes what is written into another folder. It is mounted over the tree in a namespace around
 * bubblewrap, whose own namespace then locks it: nothing inside can take it off.
 */
import { chmodSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxPrograms } from './programs.ts';

/** The part of an overlay's folder that takes what is written. */
export const upper = 'upper';

/** Prepares a folder for `enterOverlay`. Its parts have short names, because a path in an option would need escapes. */
export function createOverlay(folder: string, tree: string): string {
  symlinkSync(tree, join(folder, 'lower'));
  for (const part of [upper, 'work']) mkdirSync(join(folder, part));
  // The tree's root has the mode of this one.
  chmodSync(join(folder, upper), statSync(tree).mode & 0o7777);
  return folder;
}

/**
 * `uuid=off`, or the first mount would change the folder for ever. The end makes sure that the engine still lives, because until
 * then nothing would end this process with it.
 */
const mountOverlay = `
view=$1 mount=$2 tree=$3 engine=$4
shift 4
cd "$view" && "$mount" -n -t overlay overlay -o lowerdir=lower,upperdir=${upper},workdir=work,userxattr,uuid=off "$tree" || exit 1
cd / && read -r _ _ _ parent _ </proc/self/stat && [ "$parent" = "$engine" ] && exec "$@"
exit 1`;

/**
 * The words that mount the overlay of a folder over its tree, in a namespace that nothing else is in, and then become the program
 * after them, in the same process. User and group count as root there.
 */
export function enterOverlay({ unshare, mount }: Pick<SandboxPrograms, 'unshare' | 'mount'>, folder: string, tree: string): string[] {
  const namespaces = ['--user', '--map-root-user', '--mount'];
  return [unshare, ...namespaces, '--', '/bin/sh', '-c', mountOverlay, 'sh', folder, mount, tree, String(process.pid)];
}
