/**
 * What one sandbox sees of the disk (design §8.3): everything read-only; homes, run-time folders and other runs' files
 * hidden; toolchains shown again; one tree writable, and in it `.git` and editor settings not, even where absent.
 */
import { accessSync, constants, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { InputError } from '../../engine/ground/errors.ts';
import type { Mount } from './bubblewrap.ts';
import { shownGitConfig } from './git-config.ts';
import { isWithin, kindOf, realPath } from './places.ts';
import { findToolchains, type Toolchains } from './toolchains.ts';

/** What stays the same from run to run, looked up once. */
export interface Host {
  home: string;
  /** Canonical folders that no command may look into. */
  hidden: string[];
  /** Canonical folders that each run has for itself. */
  temporary: string[];
  toolchains: Toolchains;
}

export interface TreeLayout {
  /** The tree's root, canonical. */
  root: string;
  writable: boolean;
  gitCommonDir: string;
  /** Verifications judge what is built, not how it came about: history and branch are no evidence. */
  hidesGit: boolean;
  /** Further folders to hide: the sprint's own records. */
  hidden: string[];
  network: boolean;
}

/** Inside: the command or script, the person's home, scratch data. */
export const PROGRAM_DIR = '/run/verification';
export const VERIFICATIONS_DIR = '/run/verifications';
export const HOME_DIR = '/tmp/home';
export const DATA_DIR = '/tmp/data';

/** Never writable in a tree: what the host's git and editors act upon. */
export const PROTECTED = ['.git', '.vscode', '.idea'];

const RUNTIME = ['/run', '/var/run'];
const TEMPORARY = ['/tmp', '/var/tmp'];
const HOMES = ['/home', '/root', '/Users', '/workspaces/.codespaces'];
const SECRET_FILES = ['/etc/shadow', '/etc/gshadow', '/etc/npmrc', '/usr/etc/npmrc', '/usr/local/etc/npmrc'];

export function inspectHost(env: NodeJS.ProcessEnv): Host {
  const home = realPath(env['HOME'] ?? '') ?? realPath(homedir()) ?? '/';
  const hidden = [...RUNTIME, ...HOMES, home, userInfo().homedir, env['TMPDIR'] ?? tmpdir(), ...windowsDrives()];
  const canonical = hidden.flatMap((path) => realPath(path) ?? []).filter((path) => path !== '/');
  const temporary = TEMPORARY.flatMap((path) => realPath(path) ?? []);
  return { home, hidden: [...new Set(canonical)], temporary, toolchains: findToolchains(home, env) };
}

/** The mounts of one run. Creates the protected folders where the tree lacks them. */
export function layOut(host: Host, tree: TreeLayout): Mount[] {
  const masks: Mount[] = [
    ...host.hidden.map((path): Mount => ({ kind: 'hide', path })),
    ...host.temporary.map((path): Mount => ({ kind: 'fresh', path })),
  ];
  const root: Mount = tree.writable ? { kind: 'write', path: tree.root } : { kind: 'read', path: tree.root };
  const outer = [...masks, root];
  const wanted = [...host.toolchains.shown, ...resolverFiles(tree.network)];
  return [
    ...outer,
    ...wanted.filter((path) => isMasked(path, outer)).map((path): Mount => ({ kind: 'read', path })),
    ...(tree.hidesGit ? [] : gitMounts(tree.gitCommonDir)),
    ...protectedMounts(tree),
    ...(tree.hidesGit ? hiddenGit(tree) : []),
    ...tree.hidden.flatMap((path) => hide(path, tree)),
    ...[...SECRET_FILES.filter(isReadable), ...host.toolchains.blanked].map((path): Mount => ({ kind: 'blank', path })),
    ...socketMounts(outer),
    { kind: 'folder', path: PROGRAM_DIR },
    { kind: 'folder', path: HOME_DIR },
    { kind: 'folder', path: DATA_DIR },
  ];
}

/** Whether the innermost mount over a path hides it. */
function isMasked(path: string, mounts: Mount[]): boolean {
  const over = mounts.filter((m) => isWithin(path, m.path)).sort((a, b) => b.path.length - a.path.length)[0];
  return over?.kind === 'hide' || over?.kind === 'fresh';
}

function gitMounts(commonDir: string): Mount[] {
  const path = realPath(commonDir);
  if (path === undefined) return [];
  const config = join(path, 'config');
  const shown: Mount = { kind: 'read', path };
  return kindOf(config) === 'file' ? [shown, { kind: 'text', path: config, text: shownGitConfig(readFileSync(config, 'utf8')) }] : [shown];
}

function hiddenGit({ root, gitCommonDir }: TreeLayout): Mount[] {
  const own = join(root, '.git');
  const common = realPath(gitCommonDir);
  return [
    ...(common === undefined ? [] : [{ kind: 'hide' as const, path: common }]),
    ...(kindOf(own) === 'file'
      ? [{ kind: 'blank' as const, path: own }]
      : kindOf(own) === 'folder'
        ? [{ kind: 'hide' as const, path: own }]
        : []),
  ];
}

/**
 * Mount points cannot be renamed or removed inside, and absent ones are made first: an empty folder is nothing to git, and
 * as nobody removes it, sandboxes that run at the same time cannot take it from one another.
 */
function protectedMounts(tree: TreeLayout): Mount[] {
  if (!tree.writable) return [];
  return PROTECTED.map((name): Mount => {
    const path = join(tree.root, name);
    const kind = kindOf(path);
    if (kind === undefined) mkdirSync(path, { recursive: true });
    if (kind === 'link')
      throw new InputError(
        `The sandbox cannot protect ${path}, because it is a symbolic link.`,
        `Replace ${name} in the repository by a real folder, commit that, and start again.`,
      );
    return { kind: 'read', path };
  });
}

function hide(path: string, tree: TreeLayout): Mount[] {
  const inTree = tree.writable && isWithin(path, tree.root);
  if (inTree && kindOf(path) === undefined && realPath(dirname(path)) === dirname(path)) mkdirSync(path, { recursive: true });
  const real = realPath(path);
  return real === undefined ? [] : [{ kind: 'hide', path: real }];
}

/** A closed network does not close Unix sockets: those outside the masks are taken away one by one. */
function socketMounts(outer: Mount[]): Mount[] {
  const writable = outer.filter((m) => m.kind === 'write').map((m) => m.path);
  return listeningSockets(readText('/proc/net/unix'))
    .filter((path) => !isMasked(path, outer) && !writable.some((root) => isWithin(path, root)))
    .filter((path) => kindOf(path) === 'socket' && realPath(path) === path)
    .map((path) => ({ kind: 'blank', path }));
}

/** The paths of a `/proc/net/unix` table. */
export function listeningSockets(table: string): string[] {
  const paths = table.split('\n').flatMap((line) => /^(?:\S+\s+){7}(\/.*)$/.exec(line)?.[1] ?? []);
  return [...new Set(paths)];
}

/** Names are resolved through a file that often lies below `/run`. */
function resolverFiles(network: boolean): string[] {
  const file = network ? realPath('/etc/resolv.conf') : undefined;
  return file === undefined ? [] : [file];
}

function windowsDrives(): string[] {
  try {
    return readdirSync('/mnt')
      .filter((name) => /^[a-z]$/.test(name))
      .map((name) => `/mnt/${name}`);
  } catch {
    return [];
  }
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
