/** What a project's CI runs: its tests, and what else has to hold before a change is taken, such as lint and types. Pure. */
import { list, readYaml, record } from './loose-records.ts';
import type { ManifestFile } from './manifests.ts';

/** Names of the files that tell it. */
export const ciNames = ['tox.ini', '.gitlab-ci.yml', '.github/workflows/*.yml', '.github/workflows/*.yaml'];

/** One line for each command that CI runs, whichever file says it, without those that only set it up. */
export function ciLines(files: readonly ManifestFile[]): string[] {
  const paths = new Map<string, string>();
  for (const { path, text } of files)
    for (const command of ciReaderOf(path)?.(text) ?? []) if (!paths.has(command) && !isSetUp.test(command)) paths.set(command, path);
  return [...paths].map(([command, path]) => `${path}: CI runs \`${command}\``);
}

const isSetUp =
  /^(-|#|echo |export |set |cd |sudo |apt(-get)? |coveralls|codecov|curl |wget |git )|\b(pip3?|uv|poetry|npm|pnpm|yarn|bun|gem|bundle|composer|cargo) (ci|install|sync|add)\b/;

/** They run after a change was taken. */
const isOfReleases = /(publish|release|deploy|docs|label|stale)[^/]*$/;

function ciReaderOf(path: string): ((text: string) => string[]) | undefined {
  if (/(^|\/)\.github\/workflows\/[^/]+\.ya?ml$/.test(path)) return isOfReleases.test(path) ? undefined : workflowCommands;
  if (/(^|\/)\.gitlab-ci\.yml$/.test(path)) return jobCommands;
  return /(^|\/)tox\.ini$/.test(path) ? toxCommands : undefined;
}

function workflowCommands(text: string): string[] {
  const jobs = Object.values(record(record(readYaml(text))['jobs']));
  return jobs.flatMap((job) => list(record(job)['steps'])).flatMap((step) => linesIn(record(step)['run']));
}

function jobCommands(text: string): string[] {
  const jobs = Object.values(record(readYaml(text)));
  return jobs.flatMap((job) => [record(job)['script']].flat()).flatMap(linesIn);
}

/** The commands of each environment: lines that are indented below `commands =`. */
function toxCommands(text: string): string[] {
  return [...text.matchAll(/^commands *=(.*(?:\n[ \t]+\S.*)*)/gm)].flatMap(([, commands]) => linesIn(commands));
}

function linesIn(value: unknown): string[] {
  if (typeof value !== 'string') return [];
  const joined = value.replaceAll(/\\\n\s*/g, '');
  return joined.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
}
