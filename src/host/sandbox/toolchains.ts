/**
 * Decides which programs of the person's PATH a sandbox may see, although their home is hidden. A toolchain is shown whole
 * when its prefix looks like an installation (`lib`, `libexec`, `versions` …), else only its folder of programs. Nothing
 * else of the home is shown: no `.ssh`, `.npmrc` or `.config`, and only the programs of `.cargo`, which also holds credentials.
 */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { textAt } from '../peek.ts';
import { isWithin, kindOf, realPath } from './places.ts';

export interface Toolchains {
  /** The PATH inside, canonical. */
  path: string;
  /** Folders to show read-only. */
  shown: string[];
  /** Files with credentials in those folders. */
  blanked: string[];
  /** Files in those folders that are shown empty, and that programs read: what they do would fail in a sandbox. */
  emptied: string[];
  env: Record<string, string>;
  /** The file of the home that says which versions of them run; undefined where there is none. */
  versions: string | undefined;
}

const systemPath = ['/usr/local/bin', '/usr/bin', '/bin'];
const installationSigns = ['lib', 'lib64', 'libexec', 'share', 'versions', 'installs', 'tools', 'conda-meta'];
/** Variables that name a toolchain's folder, each with its default place below the home. */
const toolchainRoots: Record<string, string | undefined> = {
  RUSTUP_HOME: '.rustup',
  PYENV_ROOT: undefined,
  VOLTA_HOME: undefined,
  ASDF_DATA_DIR: '.asdf',
  JAVA_HOME: undefined,
  GOROOT: undefined,
  DOTNET_ROOT: undefined,
  PLAYWRIGHT_BROWSERS_PATH: '.cache/ms-playwright',
};
/** What asdf reads in a home where no folder of the work says otherwise. */
export const versionsFile = '.tool-versions';
/** Folders below `~/.local` that programs in `~/.local/bin` link to. */
const localFolders = ['lib', 'pipx', 'share/pipx/venvs', 'share/pipx/shared', 'share/uv/tools', 'share/uv/python'];
const privateFolder = /^\.(ssh|aws|azure|gnupg|docker|kube|config|password-store|mozilla|vscode.*|cursor.*)$/;

/** @param home canonical; @param env the person's own environment; @param checkout theirs, canonical. */
export function findToolchains(home: string, env: NodeJS.ProcessEnv, checkout?: string): Toolchains {
  const entries = (env['PATH'] ?? '').split(':').flatMap((entry) => realPath(entry) ?? []);
  const folders = checkout === undefined ? entries : entries.flatMap((entry) => outside(checkout, entry));
  const usable = [...new Set([...folders, ...systemPath])].filter((folder) => mayShow(folder, home));
  const roots = Object.entries(toolchainRoots).flatMap(([name, place]) => {
    const root = realPath(env[name] ?? (place === undefined ? '' : join(home, place)));
    return root !== undefined && mayShow(root, home) ? [[name, root] as const] : [];
  });
  const shown = [...usable.flatMap((folder) => prefixOf(folder, home)), ...roots.map(([, root]) => root)];
  return {
    path: usable.join(':'),
    shown: [...new Set(shown)],
    blanked: shown.flatMap(credentialsIn).filter((file) => kindOf(file) === 'file'),
    emptied: shown.flatMap(hooksIn).filter((file) => kindOf(file) === 'file'),
    env: Object.fromEntries(roots),
    versions: realPath(join(home, versionsFile)),
  };
}

/**
 * What was installed into the person's checkout is no toolchain: work that needs a package which nothing declares would be green by it.
 * A virtual environment stands for the Python that it was made from, which may be in no other entry.
 */
function outside(checkout: string, entry: string): string[] {
  if (!isWithin(entry, checkout)) return [entry];
  const made = /^home *= *(.+)$/m.exec(textAt(join(dirname(entry), 'pyvenv.cfg')))?.[1];
  const python = realPath(made?.trim() ?? '');
  return python === undefined || isWithin(python, checkout) ? [] : [python];
}

/** The folders that the programs of one PATH entry need. */
function prefixOf(folder: string, home: string): string[] {
  const prefix = dirname(folder);
  const local = join(home, '.local');
  if (prefix === local) return [folder, ...localFolders.map((part) => join(local, part)).filter((path) => existsSync(path))];
  const isPrefix = /^(s?bin|shims)$/.test(basename(folder)) && installationSigns.some((sign) => existsSync(join(prefix, sign)));
  return [isPrefix && mayShow(prefix, home) ? prefix : folder];
}

/** False for the home, for each parent of it, and for folders that are known to hold secrets. */
function mayShow(folder: string, home: string): boolean {
  if (isWithin(home, folder)) return false;
  if (!isWithin(folder, home)) return true;
  return !privateFolder.test(folder.slice(home.length + 1).split('/')[0] ?? '');
}

/** npm's global configuration may hold tokens. */
function credentialsIn(prefix: string): string[] {
  return [join(prefix, 'etc', 'npmrc'), join(prefix, 'lib', 'node_modules', 'npm', 'npmrc')];
}

/** pyenv's step behind `pip install` writes into a folder that is read-only here, and turned each install that was right into status 1. */
function hooksIn(prefix: string): string[] {
  return [join(prefix, 'pyenv.d', 'exec', 'pip-rehash.bash')];
}
