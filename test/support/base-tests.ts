/** What a checkout of maps from path to text does with the tests of the base commit, as `src/host/git/base-tests.ts` does with git. */
import type { BaseTests } from '../../src/engine/ports.ts';
import { globMatcher } from '../../src/host/git/glob.ts';
import type { Files } from './fakes.ts';

export function matching(files: Files, globs: readonly string[]): string[] {
  const matchers = globs.map(globMatcher);
  return Object.keys(files).filter((path) => matchers.some((matches) => matches(path)));
}

export function withTests(files: Files, base: Files, { files: globs, without }: BaseTests): Record<string, string> {
  const gone = matching(files, globs);
  const kept = Object.entries(files).filter(([path]) => !gone.includes(path));
  const put = matching(base, globs).filter((path) => !without.includes(path));
  return Object.fromEntries([...kept, ...put.map((path) => [path, base[path] ?? ''] as const)]);
}
