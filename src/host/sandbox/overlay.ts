/**
 * An overlay shows a tree and takes what is written into another folder. It is mounted over the tree in a namespace of its own,
 * which a waiting process holds and which bubblewrap is started in. Bubblewrap's own namespace locks the mount: nothing inside can
 * take it off.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxPrograms } from './programs.ts';
import type { Spare } from './spares.ts';

export interface Overlay extends Spare {
  /** Words that become the program after them, in the same process, where the overlay is mounted. */
  enter: string[];
  end(): Promise<void>;
}

type Programs = Pick<SandboxPrograms, 'unshare' | 'nsenter' | 'mount'>;

/**
 * Mounts an overlay over a tree. User and group of this process count as root there.
 * @param path of an empty folder on the tree's disk.
 * @param absent name in the tree that is not there in the overlay.
 * @throws Error with the reason where it cannot.
 */
export async function mountOverlay(programs: Programs, path: string, tree: string, absent?: string): Promise<Overlay> {
  const written = join(path, 'upper');
  // Short names, because a path in a mount option would need escapes.
  symlinkSync(tree, join(path, 'lower'));
  for (const part of [written, join(path, 'work')]) mkdirSync(part);
  // The tree's root has the mode of this folder.
  chmodSync(written, statSync(tree).mode & 0o7777);
  const whiteout = absent !== undefined && existsSync(join(tree, absent)) ? [absent] : [];
  const words = ['--user', '--map-root-user', '--mount', '--', '/bin/sh', '-c', holding, 'sh', path, programs.mount, tree, ...whiteout];
  const holder = spawn(programs.unshare, words, { cwd: '/', env: {}, stdio: 'pipe' });
  const ended = new Promise<void>((resolve) => holder.once('error', () => resolve()).once('exit', () => resolve()));
  await isHeld(holder);
  const end = async (): Promise<void> => {
    holder.kill('SIGKILL');
    await ended;
  };
  const enter = [programs.nsenter, '--user', '--mount', '--preserve-credentials', '--target', String(holder.pid), '--'];
  // Node learns of its end later than the kernel; what has ended has no program.
  const isOver = (): boolean => holder.exitCode !== null || holder.signalCode !== null || !existsSync(`/proc/${holder.pid}/exe`);
  return { path, written, enter, isOver, end };
}

/**
 * Its input ends with this process. A device 0/0 in the upper folder hides the name below (overlayfs: whiteouts). Without `uuid=off`
 * the mount itself would change the folder.
 */
const holding = `
cd "$1" && { [ -z "$4" ] || mknod "upper/$4" c 0 0; } && "$2" -n -t overlay overlay -o lowerdir=lower,upperdir=upper,workdir=work,userxattr,uuid=off "$3" && cd / && echo held || exit 1
read -r _`;

function isHeld(holder: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    holder.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    holder.stdout?.once('data', () => resolve());
    holder.once('error', reject);
    holder.once('close', () => reject(new Error((said.split('\n')[0] ?? '').trim() || 'it says nothing')));
  });
}
