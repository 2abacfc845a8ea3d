/**
 * Decides what one sandbox sees of the disk. Everything is read-only, and homes, run-time folders and files of other runs are
 * hidden. Toolchains are shown again. One tree is writable, but never its `.git` and editor settings; in a view of the tree, whose
 * writes reach nobody, all but its `.git` is.
 */
import { accessSync, constants, mkdirSync, readFileSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { InputError } from '../../engine/ground/errors.ts';
import { accountsOf, insideUser } from './accounts.ts';
import type { Mount } from './bubblewrap.ts';
import { findCertificates, type Certificates } from './certificates.ts';
import { shownGitConfig } from './git-config.ts';
import { foldersAbove } from '../git/own-documents.ts';
import { stateFolder } from '../state-folder.ts';
import { isWithin, kindOf, realPath } from './places.ts';
import { findToolchains, versionsFile, type Toolchains } from './toolchains.ts';
import { textAt } from '../peek.ts';

/** Facts of this machine that are the same for all runs, looked up once. */
export interface Host {
  home: string;
  /** Canonical folders that no command may read. */
  hidden: string[];
  /** Canonical folders of which each run gets an empty one of its own. */
  temporary: string[];
  toolchains: Toolchains;
  certificates: Certificates;
}

export interface TreeLayout {
  /** The tree's root, canonical. */
  root: string;
  access: 'write' | 'read' | 'view';
  /** Folder of the host that is shown in the tree's place: the copy of a view. */
  from?: string;
  gitCommonDir: string;
  /** Then the view of the tree has no `.git` either. */
  hidesGit: boolean;
  /** Relative paths that are read-only in it. */
  fixed?: readonly string[];
  /** Further folders to hide: the sprint's own records. */
  hidden: string[];
  /** The folder of all views: what other runs write there is hidden, too. */
  views: string;
  network: boolean;
}

/** Paths inside the sandbox: of the program and an empty home. They are the same for commands and verifications. */
export const programDir = '/run/program';
export const homeDir = '/tmp/home';

/** Never writable in a tree, because git and editors of the host act on what they find there. */
export const protectedFolders = ['.git', '.vscode', '.idea'];

const runtimeFolders = ['/run', '/var/run'];
const temporaryFolders = ['/tmp', '/var/tmp'];
/** Every sandbox has devices of its own, and this folder among them. */
const sharedMemory = '/dev/shm';
const homeFolders = ['/home', '/root', '/Users'];
/** Where dev containers, servers and mounted disks have other repositories and data of the person; on Windows all drives are there. */
const dataFolders = ['/workspaces', '/srv', '/media', '/mnt', '/data'];
const secretFiles = ['/etc/shadow', '/etc/gshadow', '/etc/npmrc', '/usr/etc/npmrc', '/usr/local/etc/npmrc'];

/** Variables that name a folder with a login of another program, which may lie outside of the home. */
const loginFolders = ['CLAUDE_CONFIG_DIR', 'CODEX_HOME'];

/** @param gitCommonDir of the repository that is worked on. */
export function inspectHost(env: NodeJS.ProcessEnv, gitCommonDir?: string): Host {
  const home = realPath(env['HOME'] ?? '') ?? realPath(homedir()) ?? '/';
  const logins = loginFolders.flatMap((name) => env[name] ?? []);
  const own = [home, ...accountHome(), env['TMPDIR'] ?? tmpdir(), stateFolder()];
  const hidden = [...runtimeFolders, ...homeFolders, ...dataFolders, ...own, ...logins];
  const canonical = hidden.flatMap((path) => realPath(path) ?? []).filter((path) => path !== '/');
  const temporary = temporaryFolders.flatMap((path) => realPath(path) ?? []);
  const checkout = gitCommonDir === undefined ? undefined : checkoutAround(gitCommonDir);
  const shown = { toolchains: findToolchains(home, env, checkout), certificates: findCertificates(home, env) };
  return { home, hidden: [...new Set(canonical)], temporary, ...shown };
}

/** In a container a user may have no account. */
function accountHome(): string[] {
  try {
    return [userInfo().homedir];
  } catch {
    return [];
  }
}

/** Returns the mounts of one run. Creates the protected folders where the tree lacks them. */
export function layOut(host: Host, tree: TreeLayout): Mount[] {
  const masks: Mount[] = [
    ...[...host.hidden, ...checkoutOf(tree)].map((path): Mount => ({ kind: 'hide', path })),
    ...[...host.temporary, sharedMemory].map((path): Mount => ({ kind: 'fresh', path })),
  ];
  const from = tree.from === undefined ? {} : { from: tree.from };
  const root: Mount = { kind: tree.access === 'read' ? 'read' : 'write', path: tree.root, ...from };
  const outer = [...masks, root];
  const wanted = [...host.toolchains.shown, ...host.certificates.shown, ...resolverFiles(tree.network)];
  return [
    ...outer,
    ...wanted.filter((path) => isMasked(path, outer)).map((path): Mount => ({ kind: 'read', path })),
    ...(tree.hidesGit ? hiddenGit(tree) : gitMounts(tree.gitCommonDir)),
    ...protectedMounts(tree),
    ...fixedMounts(tree),
    ...tree.hidden.flatMap((path) => hide(path, tree)),
    ...hideViews(tree.views, outer),
    ...[...secretFiles.filter(isReadable), ...host.toolchains.blanked].map((path): Mount => ({ kind: 'blank', path })),
    ...host.toolchains.emptied.map((path): Mount => ({ kind: 'text', path, text: '' })),
    ...accountsMounts(),
    ...socketMounts(outer),
    { kind: 'fresh', path: programDir },
    { kind: 'folder', path: homeDir },
    ...versionsMounts(host.toolchains),
  ];
}

/** The person's own checkout; a run knows the tree alone. */
function checkoutOf({ root, gitCommonDir }: TreeLayout): string[] {
  const checkout = checkoutAround(gitCommonDir);
  return checkout === undefined || isWithin(checkout, root) ? [] : [checkout];
}

function checkoutAround(gitCommonDir: string): string | undefined {
  const git = realPath(gitCommonDir) ?? '';
  return basename(git) !== '.git' || dirname(git) === '/' ? undefined : dirname(git);
}

/** Whether the innermost mount over a path hides it. */
function isMasked(path: string, mounts: Mount[]): boolean {
  const innermost = mounts.filter((m) => isWithin(path, m.path)).sort((a, b) => b.path.length - a.path.length)[0];
  return innermost?.kind === 'hide' || innermost?.kind === 'fresh';
}

function gitMounts(commonDir: string): Mount[] {
  const path = realPath(commonDir);
  if (path === undefined) return [];
  const config = join(path, 'config');
  const shown: Mount = { kind: 'read', path };
  return kindOf(config) === 'file' ? [shown, { kind: 'text', path: config, text: shownGitConfig(readFileSync(config, 'utf8')) }] : [shown];
}

function hiddenGit({ root, gitCommonDir }: TreeLayout): Mount[] {
  const path = realPath(gitCommonDir);
  return path === undefined || isWithin(path, join(root, '.git')) ? [] : [{ kind: 'hide', path }];
}

/**
 * A mount point cannot be renamed or removed inside, so an absent folder is created first. It is never removed, because
 * another sandbox may use it at the same time. Git ignores empty folders.
 */
function protectedMounts(tree: TreeLayout): Mount[] {
  if (tree.access !== 'write') return [];
  return protectedFolders.map((name): Mount => {
    const path = join(tree.root, name);
    const kind = kindOf(path);
    if (kind === undefined) mkdirSync(path, { recursive: true });
    if (kind === 'link')
      throw new InputError(
        `The sandbox cannot protect ${path}, because it is a symbolic link.`,
        `Replace ${name} in the repository with a real folder, commit that, and start again.`,
      );
    return { kind: 'read', path };
  });
}

/**
 * Also in a view: work could write its own output over what it is compared with. A folder above such a path is mounted on itself,
 * since a mount point cannot be renamed, so nothing can be put in its place. In an overlay no folder can that was there before.
 */
function fixedMounts({ root, from, access, fixed = [] }: TreeLayout): Mount[] {
  if (access === 'read') return [];
  const mountable = (kind: 'read' | 'write', paths: readonly string[]) =>
    paths.flatMap((name): Mount[] => {
      const path = join(root, name);
      if (realPath(path) !== path || !['file', 'folder'].includes(kindOf(path) ?? '')) return [];
      return [{ kind, path, ...(from === undefined ? {} : { from: join(from, name) }) }];
    });
  const isOverlay = access === 'view' && from === undefined;
  return [...(isOverlay ? [] : mountable('write', foldersAbove(fixed))), ...mountable('read', fixed)];
}

function hide(path: string, tree: TreeLayout): Mount[] {
  const inTree = tree.access === 'write' && isWithin(path, tree.root);
  if (inTree && kindOf(path) === undefined && realPath(dirname(path)) === dirname(path)) mkdirSync(path, { recursive: true });
  const real = realPath(path);
  return real === undefined ? [] : [{ kind: 'hide', path: real }];
}

function hideViews(folder: string, outer: Mount[]): Mount[] {
  const path = realPath(folder);
  return path === undefined || isMasked(path, outer) ? [] : [{ kind: 'hide', path }];
}

function versionsMounts({ versions }: Toolchains): Mount[] {
  return versions === undefined ? [] : [{ kind: 'read', path: join(homeDir, versionsFile), from: versions }];
}

function accountsMounts(): Mount[] {
  const path = realPath('/etc/passwd');
  return path === undefined ? [] : [{ kind: 'text', path, text: accountsOf(textAt(path), { ...insideUser(), home: homeDir }) }];
}

/** A closed network does not close Unix sockets, so each one that no mask covers is covered here. */
function socketMounts(outer: Mount[]): Mount[] {
  const writable = outer.filter((m) => m.kind === 'write').map((m) => m.path);
  return listeningSockets(textAt('/proc/net/unix'))
    .filter((path) => !isMasked(path, outer) && !writable.some((root) => isWithin(path, root)))
    .filter((path) => kindOf(path) === 'socket' && realPath(path) === path)
    .map((path) => ({ kind: 'blank', path }));
}

/** Returns the paths in a `/proc/net/unix` table. */
export function listeningSockets(table: string): string[] {
  const paths = table.split('\n').flatMap((line) => /^(?:\S+\s+){7}(\/.*)$/.exec(line)?.[1] ?? []);
  return [...new Set(paths)];
}

/** `/etc/resolv.conf` often links to a file below `/run`, which is hidden. */
function resolverFiles(network: boolean): string[] {
  const file = network ? realPath('/etc/resolv.conf') : undefined;
  return file === undefined ? [] : [file];
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
