/**
 * The command line of one bubblewrap sandbox, as a pure function of what is mounted (design §8.3). Everything is read-only
 * unless a mount says otherwise; mounts are made from the outside in, so that an inner one always wins over what it lies in.
 */

export type Mount =
  /** Writable; `from` is where it lies outside, if elsewhere. */
  | { kind: 'write'; path: string; from?: string }
  /** Read-only; `from` is where it lies outside, if elsewhere. */
  | { kind: 'read'; path: string; from?: string }
  /** A fresh writable folder, gone with the sandbox. */
  | { kind: 'fresh'; path: string }
  /** An empty folder that nothing but inner mounts appear in. */
  | { kind: 'hide'; path: string }
  /** A file or socket replaced by the null device. */
  | { kind: 'blank'; path: string }
  /** A read-only file with this text. */
  | { kind: 'text'; path: string; text: string }
  | { kind: 'link'; path: string; target: string }
  /** A plain folder inside a `fresh` one. */
  | { kind: 'folder'; path: string };

export interface SandboxSpec {
  mounts: Mount[];
  cwd: string;
  env: Record<string, string>;
  /** Variables of the person, for which `env` has no other value; nobody else on this machine may read them. */
  secrets?: Readonly<Record<string, string>>;
  /** Shares the host's network, loopback included. */
  network: boolean;
  /** Bytes that each `fresh` folder may hold; left out where bubblewrap is too old to limit it. */
  freshBytes?: number;
}

/** Where the caller must offer the secrets, the status and the first of `inputs`; they are closed before the command starts. Reports stay open. */
export const SECRETS_FD = 3;
export const STATUS_FD = 4;
/** One digit: a POSIX shell knows no others. */
export const REPORT_FD: number = 5;
export const FIRST_INPUT_FD = 6;

const ISOLATION = ['--die-with-parent', '--new-session', '--unshare-all', '--unshare-user', '--cap-drop', 'ALL'];
/** The kernel lets root write its settings without any capability, and `core_pattern` among them names a program to run. */
const SETTINGS = '/proc/sys';
const SYSTEM = ['--ro-bind', '/', '/', '--proc', '/proc', '--ro-bind', SETTINGS, SETTINGS, '--dev', '/dev'];

/** The options of bubblewrap, those that it reads from `SECRETS_FD`, and the texts that it reads from `FIRST_INPUT_FD` on, in order. */
export function bubblewrapOptions(spec: SandboxSpec): { options: string[]; secrets: string[]; inputs: string[] } {
  const inputs: string[] = [];
  const secrets = variables(spec.secrets ?? {});
  const mounts = outsideIn(spec.mounts);
  const fd = (text: string) => String(FIRST_INPUT_FD + inputs.push(text) - 1);
  const options = [
    ...ISOLATION,
    ...(spec.network ? ['--share-net'] : []),
    '--json-status-fd',
    String(STATUS_FD),
    ...SYSTEM,
    ...mounts.flatMap((mount) => mountOptions(mount, fd, spec.freshBytes)),
    // Only now: inner mounts need their mount points made first.
    ...mounts.filter((m) => m.kind === 'hide').flatMap((m) => ['--remount-ro', m.path]),
    '--chdir',
    spec.cwd,
    '--clearenv',
    ...(secrets.length > 0 ? ['--args', String(SECRETS_FD)] : []),
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
      return ['--ro-bind-data', fd(mount.text), mount.path];
    case 'link':
      return ['--symlink', mount.target, mount.path];
    case 'folder':
      return ['--dir', mount.path];
  }
}

/** One mount a path, the last one given; parents before what lies in them. */
function outsideIn(mounts: Mount[]): Mount[] {
  const byPath = new Map(mounts.map((mount) => [mount.path, mount]));
  const depth = (path: string) => path.split('/').filter(Boolean).length;
  return [...byPath.values()]
    .map((mount) => ({ mount, depth: depth(mount.path) }))
    .sort((a, b) => a.depth - b.depth)
    .map(({ mount }) => mount);
}
