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

interface Below {
  /** Name in the tree that is not there in the overlay. */
  absent?: string | undefined;
  /** Another folder on the tree's disk that gets an overlay of its own, held by the same process. */
  beside?: string | undefined;
}

/**
 * Mounts an overlay over a tree. User and group of this process count as root there.
 * @param path of an empty folder on the tree's disk.
 * @throws Error with the reason where it cannot.
 */
export async function mountOverlay(programs: Programs, path: string, tree: string, { absent, beside }: Below = {}): Promise<Overlay> {
  const layers = [tree, ...(beside === undefined ? [] : [beside])].map((lower, n) => layer(path, lower, n === 0 ? '' : '-beside'));
  const whiteout = absent !== undefined && existsSync(join(tree, absent)) ? absent : '';
  const words = [path, programs.mount, whiteout, tree, ...(beside === undefined ? [] : [beside])];
  const holder = spawn(programs.unshare, ['--user', '--map-root-user', '--mount', '--', '/bin/sh', '-c', holding, 'sh', ...words], {
    cwd: '/',
    env: {},
    stdio: 'pipe',
  });
  const ended = new Promise<void>((resolve) => holder.once('error', () => resolve()).once('exit', () => resolve()));
  await isHeld(holder);
  const end = async (): Promise<void> => {
    holder.kill('SIGKILL');
    await ended;
  };
  const enter = [programs.nsenter, '--user', '--mount', '--preserve-credentials', '--target', String(holder.pid), '--'];
  // Node learns of its end later than the kernel; what has ended has no program.
  const isOver = (): boolean => holder.exitCode !== null || holder.signalCode !== null || !existsSync(`/proc/${holder.pid}/exe`);
  return { path, written: layers, enter, isOver, end };
}

/** The folders of one overlay. Short names, because a path in a mount option would need escapes. @returns that of what is written */
function layer(path: string, lower: string, suffix: string): string {
  const written = join(path, `upper${suffix}`);
  symlinkSync(lower, join(path, `lower${suffix}`));
  for (const part of [written, join(path, `work${suffix}`)]) mkdirSync(part);
  // The overlay's root has the mode of this folder.
  chmodSync(written, statSync(lower).mode & 0o7777);
  return written;
}

/**
 * Its input ends with this process. A device 0/0 in the upper folder hides the name below (overlayfs: whiteouts). Without `uuid=off`
 * the mount itself would change the folder.
 */
const holding = `
over() { "$1" -n -t overlay overlay -o "lowerdir=lower$2,upperdir=upper$2,workdir=work$2,userxattr,uuid=off" "$3"; }
cd "$1" && { [ -z "$3" ] || mknod "upper/$3" c 0 0; } && over "$2" "" "$4" && { [ -z "$5" ] || over "$2" -beside "$5"; } && cd / && echo held || exit 1
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
