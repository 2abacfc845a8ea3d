/** Puts the base commit's tests into an in-memory checkout (a map from path to text), like `src/host/git/base-tests.ts` does with git. */
import type { BaseTests } from '../../src/engine/ports.ts';
import { globMatcher } from '../../src/engine/ground/glob.ts';
import type { Files } from './fakes.ts';

export function matching(files: Files, globs: readonly string[]): string[] {
  const matchers = globs.map(globMatcher);
  return Object.keys(files).filter((path) => matchers.some((matches) => matches(path)));
}

export function withTests(files: Files, base: Files, { files: globs, without }: BaseTests): Record<string, string> {
  const removed = matching(files, globs);
  const kept = Object.entries(files).filter(([path]) => !removed.includes(path));
  const restored = matching(base, globs).filter((path) => !without.includes(path));
  return Object.fromEntries([...kept, ...restored.map((path) => [path, base[path] ?? ''] as const)]);
}
