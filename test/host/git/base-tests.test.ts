/** Suites run with the tests from before the sprint, whatever happened to them in the worktree (I10). */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, beforeEach, afterEach } from 'mocha';
import { Bug } from '../../../src/engine/ground/errors.ts';
import type { ScratchSpec } from '../../../src/engine/ports.ts';
import type { SprintRepo } from '../../../src/host/git/repo.ts';
import { createTree } from '../../../src/host/tree-files.ts';
import { git, put, repository, settled, sprint, type Fixture } from './fixture.ts';

const base = {
  'src/a.js': 'work, before\n',
  'test/a.test.js': 'test, before\n',
  'test/b.test.js': 'other test, before\n',
  'test/data.bin': Buffer.from([0, 255, 1, 254]),
  'test/run.sh': '#!/bin/sh\n',
  'jest.config.js': 'config, before\n',
  'package.json': '{ "type": "module", "scripts": { "test": "jest" }, "jest": { "bail": 1 }, "dependencies": { "x": "1" } }\n',
};
const tests = { files: ['test/**'], without: [] };

describe('tests as they were before the sprint', () => {
  let at: Fixture;
  let repo: SprintRepo;
  beforeEach(async () => {
    at = repository(base);
    chmodSync(join(at.root, 'test/run.sh'), 0o755);
    git(at.root, 'commit', '-qam', 'executable');
    at.base = git(at.root, 'rev-parse', 'HEAD').trim();
    repo = await sprint(at);
  });
  afterEach(() => at.dispose());

  /** The content of each path in such a checkout; undefined where the path does not exist. */
  async function contents(spec: Partial<ScratchSpec>, ...paths: string[]): Promise<(string | undefined)[]> {
    const read = (path: string): string | undefined => (existsSync(path) ? readFileSync(path, 'latin1') : undefined);
    return repo.scratch({ revert: [], ...spec }, (place) => Promise.resolve(paths.map((path) => read(join(repo.folderOf(place), path)))));
  }
  /** Stages and reads the change as the engine does. */
  const readChange = () => createTree(repo).changes();

  it('stand beside the present work, whether it is committed or not', async () => {
    await settled(repo, { 'src/a.js': 'work, settled\n', 'test/a.test.js': 'weaker\n' });
    put(repo.path, { 'src/a.js': 'work, changed\n', 'test/a.test.js': 'none\n', 'test/new.test.js': 'new\n' });
    rmSync(join(repo.path, 'test/b.test.js'));
    await readChange();
    const paths = ['src/a.js', 'test/a.test.js', 'test/b.test.js', 'test/new.test.js', 'test/data.bin'];
    const testsBefore = ['test, before\n', 'other test, before\n', undefined, '\0\xff\x01\xfe'];
    assert.deepEqual(await contents({ of: 'change', tests }, ...paths), ['work, changed\n', ...testsBefore]);
    assert.deepEqual(await contents({ of: 'commit', tests }, ...paths), ['work, settled\n', ...testsBefore]);
    assert.deepEqual(await contents({ of: 'base', tests }, ...paths), ['work, before\n', ...testsBefore]);
    assert.deepEqual(await contents({ of: 'base', keep: ['src/a.js'], tests }, ...paths), ['work, settled\n', ...testsBefore]);
    assert.deepEqual(await contents({ of: 'change' }, ...paths.slice(0, 4)), ['work, changed\n', 'none\n', undefined, 'new\n']);
    assert.equal(readFileSync(join(repo.path, 'test/a.test.js'), 'utf8'), 'none\n', 'the worktree keeps what the agent wrote');
    assert.deepEqual(
      (await readChange()).files.map((f) => f.path),
      ['src/a.js', 'test/a.test.js', 'test/b.test.js', 'test/new.test.js'],
    );
  });

  it('are restored where a link, a file or a folder took their place', async () => {
    renameSync(join(repo.path, 'test'), join(repo.path, 'moved'));
    symlinkSync('moved', join(repo.path, 'test'));
    await readChange();
    assert.deepEqual(await contents({ of: 'change', tests }, 'test/a.test.js', 'test/run.sh'), ['test, before\n', '#!/bin/sh\n']);
    rmSync(join(repo.path, 'test'));
    rmSync(join(repo.path, 'jest.config.js'));
    put(repo.path, { test: 'a file\n', 'jest.config.js/test/x': 'in a folder\n' });
    await readChange();
    assert.deepEqual(await contents({ of: 'change', tests }, 'test/a.test.js', 'jest.config.js'), ['test, before\n', 'config, before\n']);
  });

  it('keep their mode', async () => {
    put(repo.path, { 'test/run.sh': 'exit 0\n' });
    chmodSync(join(repo.path, 'test/run.sh'), 0o644);
    await readChange();
    const mode = await repo.scratch({ revert: [], of: 'change', tests }, (place) =>
      Promise.resolve(statSync(join(repo.folderOf(place), 'test/run.sh')).mode & 0o100),
    );
    assert.equal(mode, 0o100);
  });

  it('leave out retired tests, also changed ones', async () => {
    put(repo.path, { 'test/b.test.js': 'mended\n' });
    await readChange();
    const spec: Partial<ScratchSpec> = { of: 'change', tests: { files: ['test/**'], without: ['test/b.test.js'] } };
    assert.deepEqual(await contents(spec, 'test/a.test.js', 'test/b.test.js'), ['test, before\n', undefined]);
  });

  it('run with the test configuration and the scripts of package.json from before, and with the present dependencies', async () => {
    const now = '{ "type": "commonjs", "scripts": { "test": "exit 0" }, "mocha": {}, "dependencies": { "x": "2" } }';
    put(repo.path, { 'jest.config.js': 'none', 'test/conftest.py': 'skip', 'conftest.py': 'skip', 'package.json': now });
    await readChange();
    const [config, conftest, scripts] = await contents({ of: 'change', tests }, 'jest.config.js', 'conftest.py', 'package.json');
    assert.deepEqual([config, conftest], ['config, before\n', undefined]);
    const before = { scripts: { test: 'jest' }, jest: { bail: 1 } };
    assert.deepEqual(JSON.parse(scripts ?? ''), { type: 'commonjs', dependencies: { x: '2' }, ...before });
    put(repo.path, { 'package.json': '{ broken' });
    await readChange();
    assert.deepEqual(await contents({ of: 'change', tests }, 'package.json'), ['{ broken']);
  });

  it('leave package.json as it is laid out', async () => {
    const same = '{\n\t"scripts": { "test": "jest" },\n\t"jest": { "bail": 1 },\n\t"version": "2"\n}\n';
    put(repo.path, { 'package.json': same });
    await readChange();
    assert.deepEqual(await contents({ of: 'change', tests }, 'package.json'), [same], 'nothing is to be put back');
    put(repo.path, { 'package.json': same.replace('"jest" }', '"exit 0" }') });
    await readChange();
    assert.match((await contents({ of: 'change', tests }, 'package.json'))[0] ?? '', /^\{\n\t"scripts": \{\n\t\t"test": "jest"\n\t\}/);
  });

  it('can be put into several checkouts at once', async () => {
    put(repo.path, { 'src/a.js': 'work, changed\n' });
    await readChange();
    const all = await Promise.all(Array.from({ length: 4 }, () => contents({ of: 'change', tests }, 'src/a.js')));
    assert.deepEqual(
      all,
      Array.from({ length: 4 }, () => ['work, changed\n']),
    );
  });

  it('are listed by glob, and can be put into a checkout of another commit but never into the worktree', async () => {
    assert.deepEqual(await repo.testsAtBase(['test/*.test.js', '**/*.ini']), ['test/a.test.js', 'test/b.test.js']);
    assert.notEqual(await repo.textAtBase('test/a.test.js'), '');
    assert.equal(await repo.textAtBase('test/none.js'), '');
    git(at.root, 'checkout', '-q', 'main');
    put(at.root, { 'test/a.test.js': 'the person’s own\n' });
    git(at.root, 'commit', '-qam', 'theirs');
    await repo.scratch({ revert: [] }, async (place) => {
      await repo.putTests(place, tests, 'refs/heads/main');
      assert.equal(readFileSync(join(repo.folderOf(place), 'test/a.test.js'), 'utf8'), 'the person’s own\n');
    });
    await assert.rejects(repo.putTests('worktree', tests), Bug);
  });
});
