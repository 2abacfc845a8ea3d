/** What a project's CI runs: its tests, and what else has to hold before a change is taken, such as lint and types. Pure. */
import { fieldsOf, listOf } from '../ground/loose.ts';
import { readYaml } from './loose-yaml.ts';
import type { ManifestFile } from './manifests.ts';
import { commandsOf, folderIn, isNoCheck } from './script-commands.ts';

/** Names of the files that tell it. */
export const ciNames = ['tox.ini', '.gitlab-ci.yml', '.github/workflows/*.yml', '.github/workflows/*.yaml'];

/** One line for each command that CI runs, whichever file says it, without those that only set it up. */
export function ciLines(files: readonly ManifestFile[]): string[] {
  const paths = new Map<string, string>();
  for (const { path, text } of files)
    for (const command of ciReaderOf(path)?.(text) ?? []) if (!paths.has(command)) paths.set(command, path);
  return [...paths].map(([command, path]) => `${path}: CI runs \`${command}\``);
}

/** They run after a change was taken. */
const isOfReleases = /(publish|release|deploy|docs|label|stale)[^/]*$/;
const checks = new Set(['ci', 'test', 'tests', 'check', 'checks', 'lint', 'verify']);
const isReleaseJob = /publish|release|deploy/;

function ciReaderOf(path: string): ((text: string) => string[]) | undefined {
  if (/(^|\/)\.github\/workflows\/[^/]+\.ya?ml$/.test(path)) return isOnlyFor(isOfReleases, path) ? undefined : workflowCommands;
  if (/(^|\/)\.gitlab-ci\.yml$/.test(path)) return pipelineCommands;
  return /(^|\/)tox\.ini$/.test(path) ? toxCommands : undefined;
}

function isOnlyFor(releases: RegExp, name: string): boolean {
  const words = name
    .slice(name.lastIndexOf('/') + 1)
    .toLowerCase()
    .split(/[^a-z\d]+/);
  return releases.test(name) && !words.some((word) => checks.has(word));
}

function workflowCommands(text: string): string[] {
  const workflow = fieldsOf(readYaml(text));
  return Object.entries(fieldsOf(workflow['jobs'])).flatMap(([name, value]) => {
    const job = fieldsOf(value);
    if (isOnlyFor(isReleaseJob, name) || mayFail(job)) return [];
    const usual = folderOf(fieldsOf(job['defaults'])['run']) ?? folderOf(fieldsOf(workflow['defaults'])['run']);
    const steps = listOf(job['steps']).filter((step) => !mayFail(fieldsOf(step)));
    return steps.flatMap((step) => commandsOf(textOf(fieldsOf(step)['run']), folderIn('', folderOf(step) ?? usual ?? '')));
  });
}

/** What may be red guards nothing. */
function mayFail(it: Record<string, unknown>): boolean {
  return it['continue-on-error'] === true || it['allow_failure'] === true;
}

function folderOf(it: unknown): string | undefined {
  const { 'working-directory': folder } = fieldsOf(it);
  return typeof folder === 'string' ? folder : undefined;
}

function pipelineCommands(text: string): string[] {
  const jobs = fieldsOf(readYaml(text));
  return Object.entries(jobs).flatMap(([name, value]) => {
    const job = fieldsOf(value);
    if (isOnlyFor(isReleaseJob, name) || mayFail(job)) return [];
    // All lines of a job run in one shell.
    return commandsOf(linesOf(job['script'], jobs).join('\n'));
  });
}

/** `!reference [.setup, script]` stands for lines of another job, and is read as a list. */
function linesOf(script: unknown, jobs: Record<string, unknown>): string[] {
  return [script].flat().flatMap((line) => {
    if (!Array.isArray(line)) return textOf(line);
    const [job, part] = line.map(textOf);
    const isReference = line.length === 2 && part !== undefined && job !== undefined && (job in jobs || job.startsWith('.'));
    return isReference ? [fieldsOf(jobs[job])[part]].flat().map(textOf) : line.map(textOf);
  });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The commands of each environment: lines that are indented below `commands =`. */
function toxCommands(text: string): string[] {
  return [...text.matchAll(/^commands *=(.*(?:\n[ \t]+\S.*)*)/gm)].flatMap(([, commands = '']) => linesIn(commands));
}

/** No shell reads them. */
function linesIn(text: string): string[] {
  const joined = text.replaceAll(/\\\n\s*/g, '');
  return joined.split('\n').flatMap((line) => (line.trim() === '' || isNoCheck(line.trim()) ? [] : [line.trim()]));
}
