/** What the manifests of a tree declare, and what needs no install. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import { installsIn, isManifest, readBy } from '../../../src/engine/parse/manifests.ts';
import { installWords } from '../../../src/engine/work/install.ts';

const withDependency = '{"dependencies":{"express":"5"}}';
const found = (files: Record<string, string>): string[] =>
  installsIn(Object.entries(files).map(([path, text]) => ({ path, text }))).map(installWords);

const trees: { what: string; files: Record<string, string>; installs: string[] }[] = [
  { what: 'nothing', files: { 'main.py': 'import os' }, installs: [] },
  { what: 'a package without dependencies', files: { 'package.json': '{"name":"a","scripts":{"test":"node --test"}}' }, installs: [] },
  { what: 'a package.json that is no JSON', files: { 'package.json': '{' }, installs: [] },
  { what: 'npm', files: { 'package.json': withDependency, 'package-lock.json': '{}' }, installs: ['npm'] },
  { what: 'development dependencies', files: { 'package.json': '{"devDependencies":{"typescript":"6"}}' }, installs: ['npm'] },
  { what: 'pnpm by its lock file', files: { 'package.json': withDependency, 'pnpm-lock.yaml': '' }, installs: ['pnpm'] },
  { what: 'yarn by its lock file', files: { 'package.json': withDependency, 'yarn.lock': '' }, installs: ['yarn'] },
  { what: 'bun by packageManager', files: { 'package.json': '{"packageManager":"bun@1.2","dependencies":{"a":"1"}}' }, installs: ['bun'] },
  {
    what: 'two folders',
    files: { 'web/package.json': withDependency, 'api/requirements.txt': 'flask\n' },
    installs: ['pip -r requirements.txt in api', 'npm in web'],
  },
  {
    what: 'a workspace, by its root',
    files: { 'package.json': '{"workspaces":["a"]}', 'a/package.json': withDependency },
    installs: ['npm'],
  },
  {
    what: 'a pnpm workspace',
    files: { 'pnpm-workspace.yaml': 'packages: [a]', 'package.json': '{}', 'a/package.json': withDependency },
    installs: ['pnpm'],
  },
  {
    what: 'packages of fixtures',
    files: { 'test/fixtures/x/package.json': withDependency, 'examples/y/go.mod': 'require a v1' },
    installs: [],
  },
  { what: 'requirements of comments', files: { 'requirements.txt': '# nothing yet\n\n' }, installs: [] },
  {
    what: 'two lists of requirements',
    files: { 'requirements.txt': 'a', 'requirements-dev.txt': 'b' },
    installs: ['pip -r requirements-dev.txt -r requirements.txt'],
  },
  {
    what: 'a pyproject with dependencies',
    files: { 'pyproject.toml': '[project]\ndependencies = [\n  "flask",\n]\n' },
    installs: ['pip -e .'],
  },
  {
    what: 'a pyproject with a line of signs in place of dependencies',
    files: { 'pyproject.toml': `[project]\ndependencies = [\n  ${'#'.repeat(99)}\n]\n` },
    installs: [],
  },
  {
    what: 'a pyproject with dependencies beside a list for development',
    files: { 'pyproject.toml': '[project]\ndependencies = ["flask"]\n', 'requirements-dev.txt': 'pytest\n' },
    installs: ['pip -e . -r requirements-dev.txt'],
  },
  {
    what: 'a pyproject beside a list of all that it needs',
    files: { 'pyproject.toml': '[project]\ndependencies = ["flask"]\n', 'requirements.txt': 'flask==3\n' },
    installs: ['pip -r requirements.txt'],
  },
  {
    what: 'a pyproject that is no package',
    files: { 'pyproject.toml': '[tool.x]\ndependencies = ["a"]\n', 'requirements-dev.txt': 'pytest\n' },
    installs: ['pip -r requirements-dev.txt'],
  },
  {
    what: 'lists of one system, or for docs',
    files: { 'requirements.txt': 'a', 'requirements_windows.txt': 'b', 'requirements-docs.txt': 'c', 'requirements-dockerfile.txt': 'd' },
    installs: ['pip -r requirements-dockerfile.txt -r requirements.txt'],
  },
  { what: 'a pyproject without', files: { 'pyproject.toml': '[project]\nname = "a"\ndependencies = []\n' }, installs: [] },
  { what: 'uv', files: { 'pyproject.toml': '[project]\n', 'uv.lock': '' }, installs: ['uv'] },
  { what: 'poetry', files: { 'pyproject.toml': '[tool.poetry]\n' }, installs: ['poetry'] },
  { what: 'go', files: { 'go.mod': 'module a\n\nrequire b v1\n' }, installs: ['go'] },
  { what: 'go without requirements', files: { 'go.mod': 'module a\n' }, installs: [] },
  { what: 'cargo', files: { 'Cargo.toml': '[package]\nname="a"\n[dependencies]\nserde = "1"\n' }, installs: ['cargo'] },
  { what: 'cargo without dependencies', files: { 'Cargo.toml': '[package]\nname="a"\n\n[dependencies]\n' }, installs: [] },
  {
    what: 'cargo with a comment above its first crate',
    files: { 'Cargo.toml': '[package]\nname="a"\n\n[dependencies] # ours\n# for JSON\n\nserde = "1"\n' },
    installs: ['cargo'],
  },
  {
    what: 'cargo with crates for one system',
    files: { 'Cargo.toml': `[target.'cfg(target_os = "linux")'.dependencies]\nlibc = "1"\n` },
    installs: ['cargo'],
  },
  { what: 'cargo with nothing but a comment', files: { 'Cargo.toml': '[dependencies]\n# none\n[features]\na = []\n' }, installs: [] },
  { what: 'bundler by a gemspec', files: { Gemfile: "source 'x'\ngemspec\n" }, installs: ['bundler'] },
  { what: 'bundler', files: { Gemfile: "source 'x'\ngem 'rake'\n" }, installs: ['bundler'] },
  { what: 'composer', files: { 'composer.json': '{"require":{"a/b":"1"}}' }, installs: ['composer'] },
  { what: 'maven', files: { 'pom.xml': '<project><dependencies><dependency></dependency></dependencies></project>' }, installs: ['maven'] },
  { what: 'gradle', files: { 'build.gradle.kts': 'dependencies {\n  testImplementation("a:b:1")\n}' }, installs: ['gradle'] },
  { what: 'dotnet', files: { 'src/A.csproj': '<Project><PackageReference Include="x"/></Project>' }, installs: ['dotnet in src'] },
];

describe('manifests', () => {
  for (const { what, files, installs } of trees)
    it(`tell of ${what}: ${installs.join(', ') || 'no install'}`, () => assert.deepEqual(found(files), installs));

  it('are read whole by an install: those of its folder and below', () => {
    const files = ['package.json', 'a/package.json', 'b/go.mod', 'src/main.ts'].map((path) => ({ path, text: '' }));
    const paths = (folder: string) => readBy({ folder, manager: 'npm', flags: [] }, files).map(({ path }) => path);
    assert.deepEqual([paths(''), paths('a')], [['package.json', 'a/package.json', 'b/go.mod'], ['a/package.json']]);
  });

  it('are known by their names', () => {
    assert.deepEqual(['package.json', 'a/requirements-dev.txt', 'X.csproj', 'package.json.bak', 'src/a.ts'].map(isManifest), [
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it('of any text are read in a moment, and name at most a dozen installs', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('package.json', 'a/pyproject.toml', 'b/c/go.mod', 'pom.xml', 'Cargo.toml'), fc.string())),
        (files) => {
          assert.ok(installsIn(files.map(([path, text]) => ({ path, text }))).length <= 12);
        },
      ),
    );
  });
});
