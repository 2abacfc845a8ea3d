/**
 * Builds the options of one bubblewrap sandbox from its mounts. Pure. Everything is read-only unless a mount changes that.
 * Outer folders are mounted before inner ones, so an inner mount always wins.
 */
import type { User } from './accounts.ts';

export type Mount =
  /** Writable; `from` is its path on the host, where that differs. */
  | { kind: 'write'; path: string; from?: string }
  /** Read-only; `from` is its path on the host, where that differs. */
  | { kind: 'read'; path: string; from?: string }
  /** An empty writable folder that is gone with the sandbox. */
  | { kind: 'fresh'; path: string }
  /** An empty read-only folder; only inner mounts appear in it. */
  | { kind: 'hide'; path: string }
  /** A file or socket replaced by the null device. */
  | { kind: 'blank'; path: string }
  /** A read-only file with this text. */
  | { kind: 'text'; path: string; text: string; executable?: true }
  | { kind: 'link'; path: string; target: string }
  /** A plain folder inside a `fresh` one. */
  | { kind: 'folder'; path: string };

export interface SandboxSpec {
  mounts: Mount[];
  cwd: string;
  env: Record<string, string>;
  /** Variables of the person; a value in `env` wins. Other users of this machine must not be able to read them. */
  secrets?: Readonly<Record<string, string>>;
  /** Whether the sandbox shares the host's network, loopback included. */
  network: boolean;
  /** User and group inside. */
  identity: User;
  /** Limit of each `fresh` folder in bytes; left out where bubblewrap is too old to limit it. */
  freshBytes?: number;
}

/**
 * File descriptors that the caller opens for the secrets, the status, the reports, the time and the first of `inputs`. Only those
 * for reports and time stay open when the command starts.
 */
export const secretsFd = 3;
export const statusFd = 4;
/** These two must have one digit, because a POSIX shell allows no more in a redirection. */
export const reportFd: number = 5;
/** Not the one for reports: a write to a socket whose other end has just closed would lose what is still to be read there. */
export const timeFd: number = 6;
export const firstInputFd = 7;

const isolation = ['--die-with-parent', '--new-session', '--unshare-all', '--unshare-user', '--cap-drop', 'ALL'];
/** Root may write these settings without any capability, and `core_pattern` names a program that runs outside of the sandbox. */
const kernelSettings = '/proc/sys';
/** It is kept in memory, and nothing bounds it. */
const devices = ['--dev', '/dev', '--remount-ro', '/dev'];
const systemMounts = ['--ro-bind', '/', '/', '--proc', '/proc', '--ro-bind', kernelSettings, kernelSettings, ...devices];

/** @returns the options on the command line; those for `secretsFd`; the texts for `firstInputFd` and those after it, in order. */
export function bubblewrapOptions(spec: SandboxSpec): { options: string[]; secrets: string[]; inputs: string[] } {
  const inputs: string[] = [];
  const secrets = variables(spec.secrets ?? {});
  const mounts = outsideIn(spec.mounts);
  const fd = (text: string) => String(firstInputFd + inputs.push(text) - 1);
  const options = [
    ...isolation,
    ...(spec.network ? ['--share-net'] : []),
    '--uid',
    String(spec.identity.uid),
    '--gid',
    String(spec.identity.gid),
    '--json-status-fd',
    String(statusFd),
    ...systemMounts,
    ...mounts.flatMap((mount) => mountOptions(mount, fd, spec.freshBytes)),
    // Last, because the mount points of inner mounts must be created first.
    ...mounts.filter((m) => m.kind === 'hide').flatMap((m) => ['--remount-ro', m.path]),
    '--chdir',
    spec.cwd,
    '--clearenv',
    ...(secrets.length > 0 ? ['--args', String(secretsFd)] : []),
    ...variables(spec.env),
  ];
  return { options, secrets, inputs };
}

function variables(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).flatMap(([name, value]) => ['--setenv', name, value]);
}

function mountOptions(mount: Mount, fd: (text: string) => string, freshBytes: number | undefined): string[] {
  switch (mount.kind) {
    case 'write':
      return ['--bind', mount.from ?? mount.path, mount.path];
    case 'read':
      return ['--ro-bind', mount.from ?? mount.path, mount.path];
    case 'fresh':
      return [...(freshBytes === undefined ? [] : ['--size', String(freshBytes)]), '--tmpfs', mount.path];
    case 'hide':
      return ['--tmpfs', mount.path];
    case 'blank':
      return ['--ro-bind', '/dev/null', mount.path];
    case 'text':
      return [...(mount.executable ? ['--perms', '0555'] : []), '--ro-bind-data', fd(mount.text), mount.path];
    case 'link':
      return ['--symlink', mount.target, mount.path];
    case 'folder':
      return ['--dir', mount.path];
  }
}

/** Keeps the last mount of each path. Sorts parents before what lies in them. */
function outsideIn(mounts: Mount[]): Mount[] {
  const byPath = new Map(mounts.map((mount) => [mount.path, mount]));
  const depth = (path: string) => path.split('/').filter(Boolean).length;
  return [...byPath.values()]
    .map((mount) => ({ mount, depth: depth(mount.path) }))
    .sort((a, b) => a.depth - b.depth)
    .map(({ mount }) => mount);
}
