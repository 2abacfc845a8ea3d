/** Which changed files decide how tests run, or what they run on. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { notableIn } from '../../../src/engine/judge/notable-changes.ts';

/** A patch as git prints it. */
const patchOf = (path: string, ...lines: string[]) =>
  [`diff --git a/${path} b/${path}`, 'index 1..2 100644', `--- a/${path}`, `+++ b/${path}`, '@@ -1,3 +1,3 @@', ...lines, ''].join('\n');

const whatOf = (path: string, ...lines: string[]) => {
  const found = notableIn([{ path, kind: 'modified' }], patchOf(path, ...lines));
  return found[0]?.what;
};

describe('changes that decide how tests run', () => {
  const byPath: [path: string, what: string | undefined][] = [
    ['jest.config.js', 'configuration of a runner'],
    ['web/jest.unit.config.cjs', 'configuration of a runner'],
    ['vitest.config.ts', 'configuration of a runner'],
    ['vitest.workspace.ts', 'configuration of a runner'],
    ['vite.config.mts', 'configuration of a runner'],
    ['.mocharc.json', 'configuration of a runner'],
    ['.mocharc.yml', 'configuration of a runner'],
    ['pytest.ini', 'configuration of a runner'],
    ['tests/conftest.py', 'configuration of a runner'],
    ['tox.ini', 'configuration of a runner'],
    ['setup.cfg', 'configuration of a runner'],
    ['tsconfig.json', 'configuration of a runner'],
    ['tsconfig.build.json', 'configuration of a runner'],
    ['Makefile', 'configuration of a runner'],
    ['rules.mk', 'configuration of a runner'],
    ['playwright.config.ts', 'configuration of a runner'],
    ['build.gradle.kts', 'configuration of a runner'],
    ['.cargo/config.toml', 'configuration of a runner'],
    ['.npmrc', 'configuration of a runner'],
    ['.github/workflows/test.yml', 'CI'],
    ['.gitlab-ci.yml', 'CI'],
    ['.circleci/config.yml', 'CI'],
    ['Jenkinsfile', 'CI'],
    ['package-lock.json', 'lock file'],
    ['web/pnpm-lock.yaml', 'lock file'],
    ['uv.lock', 'lock file'],
    ['go.sum', 'lock file'],
    ['Cargo.lock', 'lock file'],
    ['node_modules/chai/index.js', 'code of a dependency'],
    ['vendor/github.com/x/y.go', 'code of a dependency'],
    ['.venv/lib/python3.11/site-packages/pytest/main.py', 'code of a dependency'],
    ['node_modules/.package-lock.json', 'code of a dependency'],
    ['src/config.ts', undefined],
    ['src/jest.ts', undefined],
    ['src/vendored.ts', undefined],
    ['test/total.test.js', undefined],
    ['README.md', undefined],
    ['.github/CODEOWNERS', undefined],
    ['docs/Makefile.md', undefined],
  ];
  for (const [path, what] of byPath) it(`${path}: ${what ?? 'nothing'}`, () => assert.equal(whatOf(path, '+x'), what));

  const byText: { name: string; path: string; lines: string[]; named: boolean }[] = [
    { name: 'a script', path: 'package.json', lines: ['-    "test": "mocha"', '+    "test": "true"'], named: true },
    { name: "a runner's part", path: 'package.json', lines: ['+  "jest": {', '+    "testMatch": []', '+  },'], named: true },
    { name: 'a part that is switched', path: 'package.json', lines: ['+  "type": "module",'], named: true },
    { name: 'an override', path: 'package.json', lines: ['+    "chai": "file:./fake"'], named: true },
    {
      name: 'a dependency',
      path: 'package.json',
      lines: ['   "dependencies": {', '+    "chai": "^5.1.0",', '+    "@x/y": "1.2.3"'],
      named: false,
    },
    { name: 'its version and name', path: 'web/package.json', lines: ['-  "version": "1.0.0",', '+  "version": "1.0.1",'], named: false },
    { name: "pytest's part", path: 'pyproject.toml', lines: ['+[tool.pytest.ini_options]', '+addopts = "-k nothing"'], named: true },
    { name: 'an entry of it', path: 'pyproject.toml', lines: ['-testpaths = ["tests"]', '+testpaths = []'], named: true },
    { name: 'a requirement', path: 'pyproject.toml', lines: ['+dependencies = [', '+  "requests>=2.31",', '+]'], named: false },
    { name: 'a profile', path: 'Cargo.toml', lines: ['+[[test]]', '+harness = false'], named: true },
    { name: 'a crate', path: 'Cargo.toml', lines: ['+serde = { version = "1", features = ["derive"] }'], named: false },
    { name: 'a replacement', path: 'go.mod', lines: ['+replace x.org/y => ./fake'], named: true },
    { name: 'a module', path: 'go.mod', lines: ['+require x.org/y v1.2.3'], named: false },
  ];
  for (const { name, path, lines, named } of byText)
    it(`${path}, ${name}: ${named ? 'named' : 'nothing'}`, () =>
      assert.equal(whatOf(path, ...lines), named ? 'configuration of a runner' : undefined));

  it('names a manifest whose patch it cannot read', () => {
    const patch = 'diff --git "a/gr\\303\\266\\303\\237e/package.json" "b/gr\\303\\266\\303\\237e/package.json"\n@@ -1 +1 @@\n+x\n';
    assert.equal(notableIn([{ path: 'größe/package.json', kind: 'modified' }], patch).length, 1);
  });

  it('goes by each file of a patch, and names it with its kind', () => {
    const patch = [
      patchOf('a b/package.json', '+  "chai": "^5.0.0"'),
      patchOf('package.json', '-    "test": "mocha"'),
      'diff --git a/yarn.lock b/yarn.lock\nnew file mode 100644\nGIT binary patch\nliteral 4\nx\n',
    ].join('');
    assert.deepEqual(
      notableIn(
        [
          { path: 'a b/package.json', kind: 'modified' },
          { path: 'package.json', kind: 'modified' },
          { path: 'yarn.lock', kind: 'added' },
        ],
        patch,
      ),
      [
        { path: 'package.json', kind: 'modified', what: 'configuration of a runner' },
        { path: 'yarn.lock', kind: 'added', what: 'lock file' },
      ],
    );
  });
});
