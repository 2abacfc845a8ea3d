/**
 * Finds what the work's manifests declare: which package manager installs which folder. A manifest that names no dependency
 * needs no install. Pure.
 */
import type { Install, PackageManager } from '../work/install.ts';

export interface ManifestFile {
  /** Repository-relative. */
  path: string;
  text: string;
}

/** Most installs of one tree; those nearest to the root are kept. */
const installLimit = 12;

/** Names of manifests and lock files: what an install reads. `*` stands for any text. */
export const manifestNames = [
  'package.json package-lock.json npm-shrinkwrap.json pnpm-lock.yaml pnpm-workspace.yaml yarn.lock bun.lock bun.lockb',
  'requirements*.txt pyproject.toml setup.py uv.lock poetry.lock',
  'go.mod go.sum Cargo.toml Cargo.lock Gemfile Gemfile.lock composer.json composer.lock',
  'pom.xml build.gradle build.gradle.kts gradle.lockfile *.csproj *.fsproj packages.lock.json',
].flatMap((names) => names.split(' '));

/** Folders whose manifests are not the work's own. */
const foreign = /(^|\/)(node_modules|vendor|third_party|tests?|__tests__|fixtures?|testdata|examples?|samples?|templates?)\//;

export function isManifest(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return patterns.some((pattern) => pattern.test(name)) && !foreign.test(path);
}

const patterns = manifestNames.map((name) => new RegExp(`^${name.replaceAll('.', String.raw`\.`).replace('*', '.*')}$`));

/** The installs that these files declare, those of the root first. Files that are no manifests are ignored. */
export function installsIn(files: readonly ManifestFile[]): Install[] {
  const manifests = files.filter(({ path }) => isManifest(path));
  const folders = [...new Set(manifests.map(({ path }) => folderOf(path)))].sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1));
  const found: Install[] = [];
  for (const folder of folders) {
    const here = new Map(manifests.filter(({ path }) => folderOf(path) === folder).map(({ path, text }) => [nameIn(path), text]));
    const managers = readers.flatMap((read) => read(here) ?? []);
    found.push(...managers.filter((one) => !isCovered(one.manager, folder, manifests)).map((one) => ({ folder, ...one })));
  }
  return found.slice(0, installLimit);
}

/** The manifests and lock files that an install reads: those of its folder, and of a workspace's members. */
export function readBy({ folder }: Install, files: readonly ManifestFile[]): ManifestFile[] {
  return files.filter(({ path }) => isManifest(path) && (folder === '' || path.startsWith(`${folder}/`)));
}

type Here = ReadonlyMap<string, string>;
type Declared = Omit<Install, 'folder'>;

/** One for each ecosystem: the manager and its flags, or undefined. */
const readers: readonly ((here: Here) => Declared | undefined)[] = [
  nodeInstall,
  pythonInstall,
  (here) => when('go', /^\s*require\b/m.test(here.get('go.mod') ?? '')),
  (here) => when('cargo', crates.test(here.get('Cargo.toml') ?? '')),
  (here) => when('bundler', /^\s*gem(?:spec)?\b/m.test(here.get('Gemfile') ?? '')),
  (here) => when('composer', namesPackages(here.get('composer.json'), ['require', 'require-dev'])),
  (here) => when('maven', /<dependency>|<parent>|<plugin>/.test(here.get('pom.xml') ?? '')),
  (here) => when('gradle', /^\s*(?:\w*[iI]mplementation|api|\w*[cC]ompileOnly|\w*[rR]untimeOnly|id)\b/m.test(gradleText(here))),
  (here) =>
    when(
      'dotnet',
      [...here].some(([name, text]) => /\.(cs|fs)proj$/.test(name) && text.includes('<PackageReference')),
    ),
];

/** A table of dependencies with one in it, below blank lines and comments. */
const crates =
  /^\[(?:[^\]\n]*\.)?(?:dev-|build-)?dependencies[^\]\n]*\][ \t]*(?:#.*)?\r?\n(?:[ \t]*(?:#.*)?\r?\n)*[ \t]*[\w"'-]|^\[workspace\]/m;

function when(manager: PackageManager, declares: boolean): Declared | undefined {
  return declares ? { manager, flags: [] } : undefined;
}

function nodeInstall(here: Here): Declared | undefined {
  const text = here.get('package.json');
  const fields = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies', 'workspaces'];
  if (!namesPackages(text, fields) && !here.has('pnpm-workspace.yaml')) return undefined;
  return { manager: nodeManager(here, text ?? ''), flags: [] };
}

function nodeManager(here: Here, text: string): PackageManager {
  const named = /"packageManager"\s*:\s*"(npm|pnpm|yarn|bun)@/.exec(text)?.[1] as PackageManager | undefined;
  if (here.has('pnpm-lock.yaml') || here.has('pnpm-workspace.yaml')) return 'pnpm';
  if (here.has('yarn.lock')) return 'yarn';
  if (here.has('bun.lock') || here.has('bun.lockb')) return 'bun';
  return named ?? 'npm';
}

function pythonInstall(here: Here): Declared | undefined {
  const project = here.get('pyproject.toml') ?? '';
  if (here.has('uv.lock') || /^\[tool\.uv[\].]/m.test(project)) return { manager: 'uv', flags: [] };
  if (here.has('poetry.lock') || /^\[tool\.poetry[\].]/m.test(project)) return { manager: 'poetry', flags: [] };
  const lists = [...here].filter(([name, text]) => isList(name) && /^[ \t]*[\w.-]/m.test(text)).map(([name]) => name);
  const own = declaresPackages(project, here.get('setup.py') ?? '') && !lists.includes('requirements.txt') ? ['-e', '.'] : [];
  const flags = [...own, ...lists.sort().flatMap((name) => ['-r', name])];
  return flags.length > 0 ? { manager: 'pip', flags } : undefined;
}

/** Those of one system cannot be had on another one, and those for docs are not the work's. */
function isList(name: string): boolean {
  return /^requirements.*\.txt$/.test(name) && !/[-_.](?:win(?:dows|32|64)?|mac(?:os)?|osx|darwin|linux|docs?)[-_.]/i.test(name);
}

function declaresPackages(pyproject: string, setup: string): boolean {
  const project = pyproject.split(/^(?=\[)/m).find((table) => table.startsWith('[project]')) ?? '';
  return /^\s*dependencies\s*=\s*\[\s*(?:#.*\n\s*)*["']/m.test(project) || /\binstall_requires\s*=/.test(setup);
}

/** Whether one of these fields of a JSON manifest holds anything. A manifest that is no JSON declares nothing. */
function namesPackages(text: string | undefined, fields: readonly string[]): boolean {
  const value = parsed(text ?? '');
  return fields.some((field) => Object.keys((value[field] as object | null | undefined) ?? {}).length > 0);
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function gradleText(here: Here): string {
  return `${here.get('build.gradle') ?? ''}\n${here.get('build.gradle.kts') ?? ''}`;
}

/** A workspace's root installs its members; so do a cargo workspace and a gradle or maven build. */
function isCovered(manager: PackageManager, folder: string, manifests: readonly ManifestFile[]): boolean {
  const root = workspaceOf[manager];
  if (folder === '' || !root) return false;
  return manifests.some(({ path, text }) => isAbove(folderOf(path), folder) && root(nameIn(path), text));
}

const nodeWorkspace = (name: string, text: string): boolean =>
  name === 'pnpm-workspace.yaml' || (name === 'package.json' && 'workspaces' in parsed(text));

const workspaceOf: Partial<Record<PackageManager, (name: string, text: string) => boolean>> = {
  npm: nodeWorkspace,
  pnpm: nodeWorkspace,
  yarn: nodeWorkspace,
  bun: nodeWorkspace,
  cargo: (name, text) => name === 'Cargo.toml' && /^\[workspace\]/m.test(text),
  maven: (name, text) => name === 'pom.xml' && text.includes('<module>'),
  gradle: (name) => name.startsWith('build.gradle'),
  uv: (name, text) => name === 'pyproject.toml' && text.includes('[tool.uv.workspace]'),
};

function isAbove(outer: string, inner: string): boolean {
  return outer !== inner && (outer === '' || inner.startsWith(`${outer}/`));
}

function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}

function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function depth(folder: string): number {
  return folder === '' ? 0 : folder.split('/').length;
}
