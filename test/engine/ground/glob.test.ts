/** Which paths a glob matches, and how a JavaScript pattern becomes one that `git grep` understands. */
import { strict as assert } from 'node:assert';
import { describe, it } from 'mocha';
import { InputError } from '../../../src/engine/ground/errors.ts';
import { globMatcher, pathMatcher, plainGlobs } from '../../../src/engine/ground/glob.ts';
import { posixPattern } from '../../../src/host/git/search-pattern.ts';
import { cpuMs } from '../../support/cpu.ts';

describe('globs', () => {
  const cases: [pattern: string, matching: string[], others: string[]][] = [
    ['*.ts', ['a.ts', '.ts'], ['a/b.ts', 'a.tsx', 'a.ts/b']],
    ['**/*.ts', ['a.ts', 'a/b.ts', 'a/b/c.ts'], ['a/b.js']],
    ['a/**', ['a/b', 'a/b/c'], ['b/a', 'ab']],
    ['a/**/z', ['a/z', 'a/b/z', 'a/b/c/z'], ['a/b', 'z']],
    ['src/', ['src/a', 'src/a/b'], ['other/src/a']],
    ['./a?.[jt]s', ['ab.js', 'a1.ts'], ['a.js', 'abc.js', 'ab.cs']],
    ['[!a-c]x', ['dx'], ['ax', 'x']],
    ['{a,b{1,2}}.md', ['a.md', 'b1.md', 'b2.md'], ['b.md', 'a,b.md']],
    ['{a}', ['{a}'], ['a']],
    ['\\*', ['*'], ['a']],
    ['[id].ts', ['i.ts'], ['[id].ts']],
    ['a**b', ['ab', 'axxb'], ['a/b']],
    ['größe-?', ['größe-😀'], ['größe-']],
  ];
  for (const [pattern, matching, others] of cases) {
    it(pattern, () => {
      const matches = globMatcher(pattern);
      assert.deepEqual(
        matching.filter((path) => !matches(path)),
        [],
      );
      assert.deepEqual(others.filter(matches), []);
    });
  }

  it('match what a person wrote word for word, too', () => {
    for (const [pattern, path] of [
      ['app/[id]/page.tsx', 'app/[id]/page.tsx'],
      ['app/[id]/', 'app/[id]/a/b'],
      ['app/[id]/**', 'app/[id]/a/b'],
      ['app/[id]/*.ts', 'app/i/a.ts'],
    ] as const)
      assert.ok(pathMatcher(pattern)(path), pattern);
    for (const [pattern, path] of [
      ['app', 'app/a'],
      ['app/[id]', 'app/[id]/a'],
    ] as const)
      assert.ok(!pathMatcher(pattern)(path), pattern);
  });

  it('have wider ones that other programs read alike', () => {
    const wider: [pattern: string, plain: string[]][] = [
      ['**/*.{ts,tsx}', ['**/*.ts', '**/*.tsx']],
      ['./src/w?nd[a-f]?/', ['src/w*nd*/**']],
      ['a**b/[?]*', ['a*b/*']],
      ['\\*\\\\*/[x', ['\\*\\\\*/\\[x']],
    ];
    for (const [pattern, plain] of wider) assert.deepEqual(plainGlobs(pattern).sort(), plain, pattern);
  });

  it('take bounded time for every pattern', () => {
    const took = cpuMs(() => {
      assert.equal(globMatcher(`${'*a'.repeat(40)}b`)('a'.repeat(200)), false);
      assert.equal(globMatcher(`${'**/a/'.repeat(40)}b`)('a/'.repeat(200)), false);
      assert.throws(() => globMatcher('{a,b}'.repeat(12)), InputError);
    });
    assert.ok(took < 1000, `${took} ms`);
  });
});

describe('search patterns', () => {
  const cases: [pattern: string, posix: string][] = [
    ['\\d+\\.\\d', '[0-9]+\\.[0-9]'],
    ['[\\d.]x', '[0-9.]x'],
    ['[^\\s\\w]', '[^[:space:][:alnum:]_]'],
    ['(?:a|b)\\(', '(a|b)\\('],
    ['[\\]a\\-]', '[]a-]'],
    ['[[:alpha:]]\\b', '[[:alpha:]]\\b'],
    ['[]a]', '[]a]'],
    ['\\\\d', '\\\\d'],
    ['(unclosed [', '(unclosed ['],
  ];
  for (const [pattern, posix] of cases) it(pattern, () => assert.equal(posixPattern(pattern), posix));
});
