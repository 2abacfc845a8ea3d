/** The folder for what Loop keeps outside of repositories: worktrees, scratch checkouts, locks. */
import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { posix, win32, type PlatformPath } from 'node:path';
import { InputError } from '../engine/ground/errors.ts';

/** The facts of a machine that the folder depends on. */
export interface Machine {
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
  home: string;
}

/**
 * Returns `$LOOP_STATE_HOME`, else `$XDG_STATE_HOME/loop`, else the platform's own place. The folder may not exist yet.
 * @throws InputError for a `$LOOP_STATE_HOME` that is not absolute.
 */
export function stateFolder({ platform, env, home }: Machine = thisMachine()): string {
  const path = pathOf(platform);
  const own = env['LOOP_STATE_HOME'];
  if (own && !path.isAbsolute(own)) {
    throw new InputError(
      `LOOP_STATE_HOME is "${own}", which is not an absolute path.`,
      'Set it to a path that begins at the root, or unset it.',
    );
  }
  if (own) return own;
  // The XDG Base Directory Specification says to ignore a relative path.
  const xdg = env['XDG_STATE_HOME'];
  if (xdg && path.isAbsolute(xdg)) return path.join(xdg, 'loop');
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support', 'loop');
  if (platform === 'win32') return path.join(env['LOCALAPPDATA'] || path.join(home, 'AppData', 'Local'), 'loop');
  return path.join(home, '.local', 'state', 'loop');
}

/**
 * The folder for the worktree of a branch: a different one for each repository and branch, but the same for every spelling of
 * the repository's path. It is short, because sockets and Windows limit the length of a path.
 */
export async function worktreeFolder(repoRoot: string, branch: string, machine: Machine = thisMachine()): Promise<string> {
  const path = pathOf(machine.platform);
  const root = await realpath(repoRoot);
  return path.join(stateFolder(machine), 'worktrees', readable(path.basename(root), root), readable(branch, branch));
}

/** A readable name from `text`, made unique by the hash of `whole`. */
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
