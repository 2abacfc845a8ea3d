/** The folder where Loop keeps what belongs to no repository: worktrees, scratch checkouts, locks. */
import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { posix, win32, type PlatformPath } from 'node:path';
import { InputError } from '../engine/ground/errors.ts';

/** What the folder depends on; by default this machine's. */
export interface Machine {
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
  home: string;
}

/**
 * `$LOOP_STATE_HOME`, else `$XDG_STATE_HOME/loop`, else the platform's own place. It need not exist.
 * @throws InputError for a `$LOOP_STATE_HOME` that is not absolute.
 */
export function stateFolder({ platform, env, home }: Machine = thisMachine()): string {
  const path = pathOf(platform);
  const own = env['LOOP_STATE_HOME'];
  if (own && !path.isAbsolute(own)) {
    throw new InputError(
      `LOOP_STATE_HOME is "${own}", which is not an absolute path.`,
      'Give it one that begins at the root, or unset it.',
    );
  }
  if (own) return own;
  // A relative one is to be ignored, says the XDG base directory specification.
  const xdg = env['XDG_STATE_HOME'];
  if (xdg && path.isAbsolute(xdg)) return path.join(xdg, 'loop');
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support', 'loop');
  if (platform === 'win32') return path.join(env['LOCALAPPDATA'] || path.join(home, 'AppData', 'Local'), 'loop');
  return path.join(home, '.local', 'state', 'loop');
}

/**
 * Where the worktree of a branch lies: the same for the same repository, however its path is spelt, and another for each
 * repository and branch. Short, because sockets and Windows bound a path's length.
 */
export async function worktreeFolder(repoRoot: string, branch: string, machine: Machine = thisMachine()): Promise<string> {
  const path = pathOf(machine.platform);
  const root = await realpath(repoRoot);
  return path.join(stateFolder(machine), 'worktrees', readable(path.basename(root), root), readable(branch, branch));
}

/** What a person can read of `text`, made unique by the hash of `whole`. */
function readable(text: string, whole: string): string {
  const plain = text.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const tag = createHash('sha256').update(whole).digest('hex').slice(0, 10);
  return `${plain.slice(0, 20).replace(/^-|-$/g, '') || 'x'}-${tag}`;
}

function thisMachine(): Machine {
  return { platform: process.platform, env: process.env, home: homedir() };
}

function pathOf(platform: NodeJS.Platform): PlatformPath {
  return platform === 'win32' ? win32 : posix;
}
