/**
 * What the files of a repository tell about how it is run and checked, without a model: compose files, scripts of package.json,
 * Procfile, names in an example of an environment file, ports, installs, and what its CI runs. Names and commands only, never
 * values. Pure.
 */
import { parse } from 'yaml';
import { installWords } from '../work/install.ts';
import { installsIn, manifestNames, type ManifestFile } from './manifests.ts';

/** Names of the files that are read. */
export const scannedNames = [
  ...manifestNames,
  'compose.yaml',
  'compose.yml',
  'docker-compose.yaml',
  'docker-compose.yml',
  'Procfile',
  'Dockerfile',
  '.env.example',
  '.env.sample',
  '.env.template',
  'Makefile',
  'tox.ini',
  '.pre-commit-config.yaml',
  '.gitlab-ci.yml',
  '.github/workflows/*.yml',
  '.github/workflows/*.yaml',
];

/** Lines of the scan, and characters of one. */
const lineLimit = 40;
const widthLimit = 200;

/** One line for each thing that was found, in the order of the files. */
export function scanLines(files: readonly ManifestFile[]): string[] {
  const installs = installsIn(files).map((install) => `install: ${installWords(install)}`);
  const lines = files.flatMap((file) => readerOf(file.path)?.(file.text).map((line) => `${file.path}: ${line}`) ?? []);
  return [...installs, ...lines, ...ciLines(files)].map((line) => line.slice(0, widthLimit)).slice(0, lineLimit);
}

type Reader = (text: string) => string[];

function readerOf(path: string): Reader | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (/^(docker-)?compose\.ya?ml$/.test(name)) return composeLines;
  if (/^\.env\.(example|sample|template)$/.test(name)) return variableLines;
  if (name === '.pre-commit-config.yaml') return hookLines;
  return readers[name];
}

const readers: Readonly<Record<string, Reader>> = {
  'package.json': scriptLines,
  Procfile: (text) => text.split('\n').filter((line) => /^[\w-]+:\s*\S/.test(line)),
  Dockerfile: (text) => text.split('\n').filter((line) => /^\s*(EXPOSE|CMD|ENTRYPOINT)\b/i.test(line)),
  Makefile: (text) => (targetsIn(text).length > 0 ? [`targets ${targetsIn(text).join(', ')}`] : []),
};

const targets = /^(run|start|serve|dev|tests?|check|lint|types?|typecheck)\s*:/gm;

function targetsIn(text: string): string[] {
  return [...text.matchAll(targets)].flatMap(([, target]) => target ?? []);
}

function scriptLines(text: string): string[] {
  const scripts = record(record(read(() => JSON.parse(text) as unknown))['scripts']);
  return Object.entries(scripts).flatMap(([name, command]) =>
    typeof command === 'string' && toldScripts.test(name) ? [`script ${name} runs \`${command}\``] : [],
  );
}

const toldScripts = /^(dev|start|serve|build|(test|lint|check|types?|type-?check|check-types|format:check)(:[\w-]+)?)$/;

function composeLines(text: string): string[] {
  const services = record(record(read(() => parse(text) as unknown))['services']);
  return Object.entries(services).map(([name, value]) => {
    const { image, ports } = record(value);
    const published = Array.isArray(ports) ? ports.filter((port) => typeof port === 'string' || typeof port === 'number') : [];
    const what = typeof image === 'string' ? ` (image ${image})` : '';
    return `service ${name}${what}${published.length > 0 ? `, ports ${published.join(', ')}` : ''}`;
  });
}

function hookLines(text: string): string[] {
  const repos = list(record(read(() => parse(text) as unknown))['repos']);
  const ids = repos.flatMap((repo) => list(record(repo)['hooks'])).map((hook) => record(hook)['id']);
  const named = ids.filter((id) => typeof id === 'string');
  return named.length > 0 ? [`hooks ${named.join(', ')}`] : [];
}

/** Names only: an example may hold a real value. */
function variableLines(text: string): string[] {
  const names = [...text.matchAll(/^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/gm)].flatMap(([, name]) => name ?? []);
  return names.length > 0 ? [`variables ${names.join(', ')}`] : [];
}

/** What CI runs, each command once, whichever file says it: tests, and what else has to hold. Installs are told apart from it. */
function ciLines(files: readonly ManifestFile[]): string[] {
  const paths = new Map<string, string>();
  for (const { path, text } of files)
    for (const command of ciReaderOf(path)?.(text) ?? []) if (!paths.has(command) && !isSetUp.test(command)) paths.set(command, path);
  return [...paths].map(([command, path]) => `${path}: CI runs \`${command}\``);
}

const isSetUp =
  /^(-|#|echo |export |set |cd |sudo |apt(-get)? |coveralls|codecov|curl |wget |git )|\b(pip3?|uv|poetry|npm|pnpm|yarn|bun|gem|bundle|composer|cargo) (ci|install|sync|add)\b/;

function ciReaderOf(path: string): Reader | undefined {
  if (/(^|\/)\.github\/workflows\/[^/]+\.ya?ml$/.test(path)) return workflowCommands;
  if (/(^|\/)\.gitlab-ci\.yml$/.test(path)) return jobCommands;
  return /(^|\/)tox\.ini$/.test(path) ? toxCommands : undefined;
}

function workflowCommands(text: string): string[] {
  const jobs = Object.values(record(record(read(() => parse(text) as unknown))['jobs']));
  return jobs.flatMap((job) => list(record(job)['steps'])).flatMap((step) => linesIn(record(step)['run']));
}

function jobCommands(text: string): string[] {
  const jobs = Object.values(record(read(() => parse(text) as unknown)));
  return jobs.flatMap((job) => [record(job)['script']].flat()).flatMap(linesIn);
}

/** The commands of each environment: lines that are indented below `commands =`. */
function toxCommands(text: string): string[] {
  return [...text.matchAll(/^commands *=(.*(?:\n[ \t]+\S.*)*)/gm)].flatMap(([, commands]) => linesIn(commands));
}

function linesIn(value: unknown): string[] {
  if (typeof value !== 'string') return [];
  return value.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function read(reader: () => unknown): unknown {
  try {
    return reader();
  } catch {
    return undefined;
  }
}
