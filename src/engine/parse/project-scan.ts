/**
 * What the files of a repository tell about how it is run, without a model: compose files, scripts of package.json, Procfile,
 * names in an example of an environment file, ports, and installs. Names and commands only, never values. Pure.
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
];

/** Lines of the scan, and characters of one. */
const lineLimit = 40;
const widthLimit = 200;

/** One line for each thing that was found, in the order of the files. */
export function scanLines(files: readonly ManifestFile[]): string[] {
  const installs = installsIn(files).map((install) => `install: ${installWords(install)}`);
  const lines = files.flatMap((file) => readerOf(file.path)?.(file.text).map((line) => `${file.path}: ${line}`) ?? []);
  return [...installs, ...lines].map((line) => line.slice(0, widthLimit)).slice(0, lineLimit);
}

type Reader = (text: string) => string[];

function readerOf(path: string): Reader | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (/^(docker-)?compose\.ya?ml$/.test(name)) return composeLines;
  if (/^\.env\.(example|sample|template)$/.test(name)) return variableLines;
  return readers[name];
}

const readers: Readonly<Record<string, Reader>> = {
  'package.json': scriptLines,
  Procfile: (text) => text.split('\n').filter((line) => /^[\w-]+:\s*\S/.test(line)),
  Dockerfile: (text) => text.split('\n').filter((line) => /^\s*(EXPOSE|CMD|ENTRYPOINT)\b/i.test(line)),
  Makefile: (text) => (/^(run|start|serve|dev|test|tests|check)\s*:/m.test(text) ? [`targets ${targetsIn(text).join(', ')}`] : []),
};

function targetsIn(text: string): string[] {
  return [...text.matchAll(/^(run|start|serve|dev|test|tests|check)\s*:/gm)].flatMap(([, target]) => target ?? []);
}

function scriptLines(text: string): string[] {
  const scripts = record(record(read(() => JSON.parse(text) as unknown))['scripts']);
  return ['dev', 'start', 'serve', 'build', 'test'].flatMap((name) =>
    typeof scripts[name] === 'string' ? [`script ${name} runs \`${scripts[name]}\``] : [],
  );
}

function composeLines(text: string): string[] {
  const services = record(record(read(() => parse(text) as unknown))['services']);
  return Object.entries(services).map(([name, value]) => {
    const { image, ports } = record(value);
    const published = Array.isArray(ports) ? ports.filter((port) => typeof port === 'string' || typeof port === 'number') : [];
    const what = typeof image === 'string' ? ` (image ${image})` : '';
    return `service ${name}${what}${published.length > 0 ? `, ports ${published.join(', ')}` : ''}`;
  });
}

/** Names only: an example may hold a real value. */
function variableLines(text: string): string[] {
  const names = [...text.matchAll(/^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/gm)].flatMap(([, name]) => name ?? []);
  return names.length > 0 ? [`variables ${names.join(', ')}`] : [];
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
