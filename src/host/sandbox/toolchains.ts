/**
 * Which programs of the person's PATH a sandbox may see, though their home is hidden. A toolchain is shown whole when its
 * prefix looks like an installation (`lib`, `libexec`, `versions` …), else only its folder of programs. Nothing else of
 * the home is: no `.ssh`, `.npmrc`, `.config`, and of `.cargo` the programs alone, for its credentials lie beside them.
 */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isWithin, kindOf, realPath } from './places.ts';

export interface Toolchains {
  /** The PATH inside, canonical. */
  path: string;
  /** Folders to show read-only. */
  shown: string[];
  /** Files with credentials that lie inside them. */
  blanked: string[];
  env: Record<string, string>;
}

const SYSTEM_PATH = ['/usr/local/bin', '/usr/bin', '/bin'];
const SIGNS_OF_A_PREFIX = ['lib', 'lib64', 'libexec', 'share', 'versions', 'installs', 'tools', 'conda-meta'];
/** Variables that name a toolchain's folder, and where it lies below the home if they are not set. */
const ROOTS: Record<string, string | undefined> = {
  RUSTUP_HOME: '.rustup',
  PYENV_ROOT: undefined,
  VOLTA_HOME: undefined,
  ASDF_DATA_DIR: undefined,
  JAVA_HOME: undefined,
  GOROOT: undefined,
  DOTNET_ROOT: undefined,
  PLAYWRIGHT_BROWSERS_PATH: '.cache/ms-playwright',
};
/** What programs in `~/.local/bin` link to. */
const LOCAL = ['lib', 'pipx', 'share/pipx/venvs', 'share/pipx/shared', 'share/uv/tools', 'share/uv/python'];
const PRIVATE = /^\.(ssh|aws|azure|gnupg|docker|kube|config|password-store|mozilla|vscode.*|cursor.*)$/;

/** @param home canonical; @param env the person's own environment. */
export function findToolchains(home: string, env: NodeJS.ProcessEnv): Toolchains {
  const folders = (env['PATH'] ?? '').split(':').flatMap((entry) => realPath(entry) ?? []);
  const usable = [...new Set([...folders, ...SYSTEM_PATH])].filter((folder) => mayShow(folder, home));
  const roots = Object.entries(ROOTS).flatMap(([name, usual]) => {
    const root = realPath(env[name] ?? (usual === undefined ? '' : join(home, usual)));
    return root !== undefined && mayShow(root, home) ? [[name, root] as const] : [];
  });
  const shown = [...usable.flatMap((folder) => prefixOf(folder, home)), ...roots.map(([, root]) => root)];
  return {
    path: usable.join(':'),
    shown: [...new Set(shown)],
    blanked: shown.flatMap(credentialsIn).filter((file) => kindOf(file) === 'file'),
    env: Object.fromEntries(roots),
  };
}

/** The folders that make the programs of one PATH entry work. */
function prefixOf(folder: string, home: string): string[] {
  const prefix = dirname(folder);
  const local = join(home, '.local');
  if (prefix === local) return [folder, ...LOCAL.map((part) => join(local, part)).filter((path) => existsSync(path))];
  const isPrefix = /^(s?bin|shims)$/.test(basename(folder)) && SIGNS_OF_A_PREFIX.some((sign) => existsSync(join(prefix, sign)));
  return [isPrefix && mayShow(prefix, home) ? prefix : folder];
}

/** Never the home or what it lies in, and never a folder that is known to keep secrets. */
function mayShow(folder: string, home: string): boolean {
  if (isWithin(home, folder)) return false;
  if (!isWithin(folder, home)) return true;
  return !PRIVATE.test(folder.slice(home.length + 1).split('/')[0] ?? '');
}

/** npm's global configuration holds tokens. */
function credentialsIn(prefix: string): string[] {
  return [join(prefix, 'etc', 'npmrc'), join(prefix, 'lib', 'node_modules', 'npm', 'npmrc')];
}
