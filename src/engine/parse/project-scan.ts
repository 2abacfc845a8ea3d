/**
 * What the files of a repository tell about how it is run and checked, without a model: compose files, scripts of package.json,
 * Procfile, names in an example of an environment file, ports, installs, and what its CI runs. Names and commands only, never
 * values. Pure.
 */
import { pieceOf } from '../ground/text.ts';
import { installWords } from '../work/install.ts';
import { ciLines, ciNames } from './ci-commands.ts';
import { fieldsOf, listOf } from '../ground/loose.ts';
import { readYaml } from './loose-yaml.ts';
import { packageScripts } from './package-scripts.ts';
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
  '.pre-commit-config.yaml',
  ...ciNames,
];

/** Lines of the scan, and characters of one. */
const lineLimit = 40;
const widthLimit = 200;

/** One line for each thing that was found, in the order of the files. */
export function scanLines(files: readonly ManifestFile[]): string[] {
  const installs = installsIn(files).map((install) => `install: ${installWords(install)}`);
  const lines = files.flatMap((file) => readerOf(file.path)?.(file.text).map((line) => `${file.path}: ${line}`) ?? []);
  return [...installs, ...lines, ...ciLines(files)].map((line) => pieceOf(line, 0, widthLimit)).slice(0, lineLimit);
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
  return Object.entries(packageScripts(text)).flatMap(([name, command]) =>
    toldScripts.test(name) ? [`script ${name} runs \`${command}\``] : [],
  );
}

const toldScripts = /^(dev|start|serve|preview|build|(test|lint|check|types?|type-?check|check-types|format:check)(:[\w-]+)?)$/;

function composeLines(text: string): string[] {
  const services = fieldsOf(fieldsOf(readYaml(text))['services']);
  return Object.entries(services).map(([name, value]) => {
    const { image, ports } = fieldsOf(value);
    const published = Array.isArray(ports) ? ports.filter((port) => typeof port === 'string' || typeof port === 'number') : [];
    const what = typeof image === 'string' ? ` (image ${image})` : '';
    return `service ${name}${what}${published.length > 0 ? `, ports ${published.join(', ')}` : ''}`;
  });
}

function hookLines(text: string): string[] {
  const repos = listOf(fieldsOf(readYaml(text))['repos']);
  const ids = repos.flatMap((repo) => listOf(fieldsOf(repo)['hooks'])).map((hook) => fieldsOf(hook)['id']);
  const named = ids.filter((id) => typeof id === 'string');
  return named.length > 0 ? [`hooks ${named.join(', ')}`] : [];
}

/** Names only: an example may hold a real value. */
function variableLines(text: string): string[] {
  const names = [...text.matchAll(/^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/gm)].flatMap(([, name]) => name ?? []);
  return names.length > 0 ? [`variables ${names.join(', ')}`] : [];
}
