/**
 * Puts the repository's tests, as they were before the sprint, into a checkout of later work: a builder must not change the
 * tests that judge its work (I8). Configurations of test runners and the scripts of `package.json` decide what runs, so they
 * are replaced, too.
 */
import { join } from 'node:path';
import { readFile } from 'node:fs/promises';
import type { BaseTests } from '../../engine/ports.ts';
import { globMatcher } from '../../engine/ground/glob.ts';
import type { Git } from './git.ts';
import { removeInside, writeInside } from './inside.ts';

/** Files that tell common test runners which tests to run. */
const runnerFiles = [
  '**/{jest,vitest,playwright,karma,cypress,wdio,ava}.config.*',
  '**/.mocharc*',
  '**/.taprc',
  '**/.rspec',
  '**/{pytest,tox}.ini',
  '**/conftest.py',
];
/** Keys of `package.json` that do the same. */
const runnerKeys = ['scripts', 'jest', 'vitest', 'mocha', 'ava', 'tap'];

/** Tracked files of a commit that match one of the globs. */
export async function filesAt(git: Git, commit: string, globs: readonly string[]): Promise<string[]> {
  const matchers = globs.map(globMatcher);
  const all = await git.list(['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit]);
  return all.filter((path) => matchers.some((matches) => matches(path)));
}

/** Those of these paths that are files of a commit. */
export async function presentAt(git: Git, commit: string, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return [];
  const found = await git.list(['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit, '--', ...paths]);
  return paths.filter((path) => found.includes(path));
}

/** Puts the tests of `commit` into a scratch checkout, instead of all files there that match the same globs. */
export async function putTests(git: Git, commit: string, { files, without }: BaseTests): Promise<void> {
  const globs = [...files, ...runnerFiles];
  const matchers = globs.map(globMatcher);
  const tracked = await git.list(['ls-files', '-z']);
  for (const path of tracked) if (matchers.some((matches) => matches(path))) await removeInside(git.at.folder, path);
  const wanted = (await filesAt(git, commit, globs)).filter((path) => !without.includes(path));
  if (wanted.length > 0) {
    const paths = wanted.map((path) => `:(top,literal)${path}`);
    await git.run(['checkout', '-q', '-f', commit, '--pathspec-from-file=-', '--pathspec-file-nul'], { input: paths.join('\0') });
  }
  await putScripts(git, commit, tracked);
}

/** Resets the keys about test runs in every `package.json` that `commit` has, and keeps all other keys as they are now. */
async function putScripts(git: Git, commit: string, tracked: readonly string[]): Promise<void> {
  for (const path of await filesAt(git, commit, ['**/package.json'])) {
    if (!tracked.includes(path)) continue;
    const [before, now] = await Promise.all([
      git.run(['show', `${commit}:${path}`]),
      readFile(join(git.at.folder, path), 'utf8').catch(() => ''),
    ]);
    const text = withRunnerKeysOf(before, now);
    if (text !== undefined) await writeInside(git.at.folder, path, Buffer.from(text));
  }
}

/** Undefined where nothing is to be changed, or one of the two is not a JSON object, which the package manager then reports. */
function withRunnerKeysOf(before: string, now: string): string | undefined {
  const [old, current] = [parseObject(before), parseObject(now)];
  if (!old || !current) return undefined;
  // Written anew, it would be laid out otherwise, for which a formatter's check is red.
  if (runnerKeys.every((key) => JSON.stringify(old[key]) === JSON.stringify(current[key]))) return undefined;
  for (const key of runnerKeys) {
    if (Object.hasOwn(old, key)) current[key] = old[key];
    else delete current[key];
  }
  const [, indent] = /\n([ \t]+)"/.exec(now) ?? [];
  return `${JSON.stringify(current, null, indent ?? 2)}\n`;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
