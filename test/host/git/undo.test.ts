/** Undo restores the tree exactly, whatever was changed in it (I10). */
import { strict as assert } from 'node:assert';
import { chmodSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { after, before, describe, it } from 'mocha';
import { createTree } from '../../../src/host/tree-files.ts';
import type { SprintRepo } from '../../../src/host/git/repo.ts';
import { differences, treePrint } from './fingerprint.ts';
import { git, put, repository, sprint, type Fixture } from './fixture.ts';

const paths = [
  'a.txt',
  'dir',
  'dir/b.bin',
  'dir/deep',
  'dir/deep/c',
  'new',
  'new/d',
  'new/.gitignore',
  '.gitignore',
  '.gitattributes',
  'link',
  'run.sh',
];
const path = fc.constantFrom(...paths);
const content = fc.constantFrom('', 'one\n', 'two\r\n', 'bin\0ary', '/d\n', 'd\n', '!*\n', '*.txt eol=crlf\n');
const operations = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), path, content }),
  fc.record({ kind: fc.constant('remove' as const), path }),
  fc.record({ kind: fc.constant('mkdir' as const), path }),
  fc.record({ kind: fc.constant('chmod' as const), path }),
  fc.record({ kind: fc.constant('move' as const), path, to: path }),
  fc.record({ kind: fc.constant('link' as const), path, to: fc.constantFrom('a.txt', 'dir', '../../../outside', '/proc/nowhere') }),
  fc.record({ kind: fc.constant('nest' as const), path }),
  fc.record({ kind: fc.constant('look' as const) }),
);
type Operation = typeof operations extends fc.Arbitrary<infer T> ? T : never;

describe('undo', () => {
  let at: Fixture;
  let repo: SprintRepo;
  before(async () => {
    at = repository({
      'a.txt': 'one\n',
      'dir/b.bin': Buffer.from([0, 255, 10, 13]),
      'dir/deep/c': 'c\n',
      'run.sh': '#!/bin/sh\n',
    });
    put(at.top, { 'outside/canary': 'alive', 'outside/.git/canary': 'alive', 'outside/.gitattributes': 'alive' });
    chmodSync(join(at.root, 'run.sh'), 0o755);
    symlinkSync('dir/deep', join(at.root, 'link'));
    put(at.root, { 'supplied/key': 'k' });
    git(at.root, 'add', 'run.sh', 'link');
    git(at.root, 'commit', '-q', '-m', 'more');
    at.base = git(at.root, 'rev-parse', 'HEAD').trim();
    repo = await sprint(at);
    await repo.copyInputs(['supplied/key']);
    put(repo.path, { 'node_modules/cache': 'stays' });
  });
  after(() => at.dispose());

  it('is exact for any sequence of file operations', async () => {
    const clean = await treePrint(repo.path);
    const property = fc.asyncProperty(fc.array(operations, { minLength: 1, maxLength: 8 }), async (sequence) => {
      for (const each of sequence) await perform(each);
      await repo.undo();
      assert.deepEqual(differences(clean, await treePrint(repo.path)), []);
      assert.equal(git(repo.path, 'status', '--porcelain', '--untracked-files=no'), '');
      for (const name of ['canary', '.git/canary', '.gitattributes'])
        assert.equal(readFileSync(join(at.top, 'outside', name), 'utf8'), 'alive');
    });
    await fc.assert(property, { numRuns: 40 });
  });

  it('keeps ignored files, but removes those that a rule of the change ignores', async () => {
    put(repo.path, {
      '.gitignore': 'build/\n',
      'build/x': 'x',
      'pkg/.gitignore': 'out\n',
      'pkg/out': 'o',
      'cache/.gitignore': '*\n',
      'cache/x': 'x',
    });
    await repo.undo();
    assert.deepEqual(['build', 'pkg', 'cache', 'node_modules'].map(exists), [false, false, true, true]);
    rmSync(join(repo.path, 'cache'), { recursive: true });
  });

  it('keeps a cache that a rule of the change no longer ignores', async () => {
    put(repo.path, { '.gitignore': '!node_modules\n' });
    assert.deepEqual(
      (await createTree(repo).changes()).files.map((file) => file.path),
      ['.gitignore', 'node_modules/cache'],
    );
    await repo.undo();
    assert.ok(exists('node_modules/cache'));
  });

  it('removes nothing behind a link that took a folder’s place', async () => {
    rmSync(join(repo.path, 'dir'), { recursive: true });
    symlinkSync(join(at.top, 'outside'), join(repo.path, 'dir'));
    assert.deepEqual(
      (await createTree(repo).changes()).files.map((file) => file.path),
      ['dir', 'dir/b.bin', 'dir/deep/c'],
    );
    await repo.undo();
    assert.equal(readFileSync(join(at.top, 'outside/.git/canary'), 'utf8'), 'alive');
    assert.ok(lstatSync(join(repo.path, 'dir')).isDirectory());
  });

  it('removes an ignore file of the change that ignores everything, itself too', async () => {
    put(repo.path, { '.gitignore': '*\n', 'hidden.txt': 'x' });
    await repo.undo();
    assert.deepEqual(['.gitignore', 'hidden.txt'].map(exists), [false, false]);
  });

  it('keeps committed files in a folder named .gitignore', async () => {
    await repo.commitFiles({ '.gitignore/x': 'x' }, 'An odd folder', { 'Loop-Step': 'odd' });
    put(repo.path, { '.gitignore/x': 'y', '.gitignore/z': 'z' });
    await repo.undo();
    assert.equal(readFileSync(join(repo.path, '.gitignore/x'), 'utf8'), 'x');
    assert.equal(exists('.gitignore/z'), false);
    git(repo.path, 'reset', '-q', '--hard', 'HEAD~');
  });

  it('undoes a change that keeps a file’s size and time', async () => {
    const file = join(repo.path, 'a.txt');
    const { atime, mtime } = lstatSync(file);
    writeFileSync(file, 'two\n');
    utimesSync(file, atime, mtime);
    await repo.undo();
    assert.equal(readFileSync(file, 'utf8'), 'one\n');
  });

  it('restores a kept change byte for byte, without later writes', async () => {
    const latin1 = Buffer.from([0x63, 0x61, 0x66, 0xe9, 10]);
    put(repo.path, {
      'latin1.txt': latin1,
      'dir/b.bin': Buffer.from([1, 2, 0, 255]),
      '.gitattributes': '*.md eol=crlf\n',
      'x.md': 'a\nb\n',
    });
    chmodSync(join(repo.path, 'a.txt'), 0o755);
    rmSync(join(repo.path, 'dir/deep'), { recursive: true });
    symlinkSync('../a.txt', join(repo.path, 'dir/deep'));
    const kept = await createTree(repo).changes();
    put(repo.path, { 'a.txt': 'scribbled', 'stray/file': 'x', 'latin1.txt': 'x' });
    await repo.restore(kept);
    assert.deepEqual(readFileSync(join(repo.path, 'latin1.txt')), latin1);
    assert.equal(readFileSync(join(repo.path, 'x.md'), 'utf8'), 'a\r\nb\r\n', 'as in a checkout of the commit');
    assert.ok(!exists('stray') && lstatSync(join(repo.path, 'dir/deep')).isSymbolicLink());
    assert.equal(readFileSync(join(repo.path, 'supplied/key'), 'utf8'), 'k');
    assert.deepEqual(await createTree(repo).changes(), kept);
    await repo.undo();
  });

  it('restores a change from its patch alone once the index has moved on', async () => {
    put(repo.path, { 'a.txt': 'two\n', 'fresh/b.bin': Buffer.from([1, 2, 0, 255]) });
    const kept = await createTree(repo).changes();
    await repo.undo();
    await repo.restore({ patch: kept.patch });
    assert.deepEqual(await createTree(repo).changes(), kept);
    await repo.undo();
  });

  it('restores a text that is no UTF-8 once the index has moved on', async () => {
    const latin1 = (text: string) => Buffer.from(text, 'latin1');
    put(repo.path, { 'latin1.txt': latin1('café\n') });
    await repo.commit('latin1', {});
    put(repo.path, { 'latin1.txt': latin1('café\nthé\n'), 'fresh.txt': latin1('né\n') });
    const kept = await createTree(repo).changes();
    put(repo.path, { 'package-lock.json': '{}' });
    await createTree(repo).changes();
    await repo.restore(kept);
    assert.deepEqual(readFileSync(join(repo.path, 'latin1.txt')), latin1('café\nthé\n'));
    assert.deepEqual(readFileSync(join(repo.path, 'fresh.txt')), latin1('né\n'));
    await repo.undo();
    await repo.restore(kept);
    assert.deepEqual(await createTree(repo).changes(), kept);
    await repo.undo();
    git(repo.path, 'reset', '-q', '--hard', 'HEAD~');
  });

  it('restores a patch also where the person’s git shows no lines around a change', async () => {
    git(repo.path, 'config', 'diff.context', '0');
    put(repo.path, { 'lines.txt': 'a\nb\nc\nd\n' });
    await repo.commit('lines', {});
    put(repo.path, { 'lines.txt': 'a\nB\nc\nd\n' });
    const { patch } = await createTree(repo).changes();
    await repo.undo();
    await repo.restore({ patch });
    assert.equal(readFileSync(join(repo.path, 'lines.txt'), 'utf8'), 'a\nB\nc\nd\n');
    await repo.undo();
    git(repo.path, 'reset', '-q', '--hard', 'HEAD~');
    git(repo.path, 'config', '--unset', 'diff.context');
  });

  const exists = (name: string) => lstatSync(join(repo.path, name), { throwIfNoEntry: false }) !== undefined;

  /** An operation on a missing path, or below a file, does nothing. */
  async function perform(operation: Operation): Promise<void> {
    if (operation.kind === 'look') return void (await createTree(repo).changes());
    const file = join(repo.path, operation.path);
    try {
      if (operation.kind === 'write') put(repo.path, { [operation.path]: operation.content });
      if (operation.kind === 'remove') rmSync(file, { recursive: true });
      if (operation.kind === 'mkdir') mkdirSync(file, { recursive: true });
      if (operation.kind === 'chmod') chmodSync(file, 0o755);
      if (operation.kind === 'move') renameSync(file, join(repo.path, operation.to));
      if (operation.kind === 'nest') git(file, 'init', '-q');
      if (operation.kind === 'link') {
        rmSync(file, { recursive: true, force: true });
        mkdirSync(dirname(file), { recursive: true });
        symlinkSync(operation.to, file);
      }
    } catch (error) {
      if (!(error instanceof Error && ('code' in error || 'status' in error))) throw error;
    }
  }
});
