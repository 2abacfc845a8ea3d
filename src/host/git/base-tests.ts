/**
 * The repository's own tests as they were before the sprint, in a checkout of something later (design §6): whoever is measured
 * must not choose the measure. Runners' configurations and the scripts of `package.json` say what is run and so are part of it.
 */
import { join } from 'node:path';
import { readFile } from 'node:fs/promises';
import type { BaseTests } from '../../engine/ports.ts';
import { globMatcher } from './glob.ts';
import type { Git } from './git.ts';
import { removeInside, writeInside } from './inside.ts';

/** What tells the usual runners which tests there are. */
const runnerFiles = [
  '**/{jest,vitest,playwright,karma,cypress,wdio,ava}.config.*',
  '**/.mocharc*',
  '**/.taprc',
  '**/.rspec',
  '**/{pytest,tox}.ini',
  '**/conftest.py',
];
/** Keys of `package.json` that do. */
const runnerKeys = ['scripts', 'jest', 'vitest', 'mocha', 'ava', 'tap'];

/** Tracked files of a commit that match one of the globs. */
export async function filesAt(git: Git, commit: string, globs: readonly string[]): Promise<string[]> {
  const matchers = globs.map(globMatcher);
  const all = await git.list(['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit]);
  return all.filter((path) => matchers.some((matches) => matches(path)));
}

/** Puts the tests of `commit` into a throw-away checkout, in the place of all that match the same globs there. */
export async function putTests(git: Git, commit: string, { files, without }: BaseTests): Promise<void> {
  const globs = [...files, ...runnerFiles];
  const matchers = globs.map(globMatcher);
  const there = await git.list(['ls-files', '-z']);
  for (const path of there) if (matchers.some((matches) => matches(path))) await removeInside(git.at.folder, path);
  const wanted = (await filesAt(git, commit, globs)).filter((path) => !without.includes(path));
  if (wanted.length > 0) {
    const paths = wanted.map((path) => `:(top,literal)${path}`);
    await git.run(['checkout', '-q', '-f', commit, '--pathspec-from-file=-', '--pathspec-file-nul'], { input: paths.join('\0') });
  }
  await putScripts(git, commit, there);
}

/** In every `package.json` that was there before: as it is now, but for what says how tests are run. */
async function putScripts(git: Git, commit: string, there: readonly string[]): Promise<void> {
  for (const path of await filesAt(git, commit, ['**/package.json'])) {
    if (!there.includes(path)) continue;
    const [before, now] = await Promise.all([
      git.run(['show', `${commit}:${path}`]),
      readFile(join(git.at.folder, path), 'utf8').catch(() => ''),
    ]);
    const text = withScriptsOf(before, now);
    if (text !== undefined) await writeInside(git.at.folder, path, Buffer.from(text));
  }
}

/** Undefined where one of the two is no JSON object: the package manager says so itself. */
function withScriptsOf(before: string, now: string): string | undefined {
  const [old, made] = [objectIn(before), objectIn(now)];
  if (!old || !made) return undefined;
  for (const key of runnerKeys) {
    delete made[key];
    if (Object.hasOwn(old, key)) made[key] = old[key];
  }
  return `${JSON.stringify(made, null, 2)}\n`;
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
