/** Renderings below `.loop`, and the folder itself. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { Bug, InputError } from '../../src/engine/ground/errors.ts';
import { openLoopFolder, removeTemporaries } from '../../src/host/loop-folder.ts';
import { openShelf, type Shelf } from '../../src/host/shelf.ts';
import { temporaryFolder } from './children.ts';

describe('shelf', () => {
  let temporary: ReturnType<typeof temporaryFolder>;
  let folder: string;
  let shelf: Shelf;
  beforeEach(async () => {
    temporary = temporaryFolder();
    folder = await openLoopFolder(temporary.path);
    shelf = openShelf(folder);
  });
  afterEach(() => temporary.remove());

  it('writes, replaces and reads, making folders on the way', async () => {
    await shelf.write('failures/unit/1.log', 'one ä');
    await shelf.write('failures/unit/1.log', 'two ä');
    assert.equal(await shelf.read('failures/unit/1.log'), 'two ä');
    assert.deepEqual(readdirSync(join(folder, 'failures', 'unit')), ['1.log']);
    assert.equal(await shelf.read('failures/unit/2.log'), undefined);
    assert.equal(await shelf.read('none/at/all'), undefined);
  });

  it('leaves a file alone whose text is the same, and rewrites one that was changed', async () => {
    await shelf.write('state.json', '{}');
    const { ino, mtimeMs } = statSync(join(folder, 'state.json'));
    await shelf.write('state.json', '{}');
    assert.deepEqual(statSync(join(folder, 'state.json')).ino, ino);
    assert.deepEqual(statSync(join(folder, 'state.json')).mtimeMs, mtimeMs);
    writeFileSync(join(folder, 'state.json'), 'edited');
    await shelf.write('state.json', '{}');
    assert.equal(readFileSync(join(folder, 'state.json'), 'utf8'), '{}');
  });

  it('refuses paths that leave the folder or name the journal or the payloads', async () => {
    const outside = ['', '.', '..', '../x', 'a/../../x', '/x', 'a//b', 'a/./b', 'a\\b', 'C:x', 'a\0b', 'a/'];
    const record = ['journal.jsonl', 'Journal.jsonl', 'journal.jsonl.torn-1', 'payloads/ab/x', 'PAYLOADS/x'];
    for (const path of [...outside, ...record]) {
      await assert.rejects(shelf.write(path, 'x'), Bug, path);
      await assert.rejects(shelf.read(path), Bug, path);
    }
    assert.deepEqual(readdirSync(folder), ['.gitignore']);
  });

  it('follows no link, neither to write nor to read', async () => {
    const elsewhere = join(temporary.path, 'elsewhere');
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, 'secret'), 'secret');
    symlinkSync(elsewhere, join(folder, 'verifications'));
    symlinkSync(join(elsewhere, 'secret'), join(folder, 'state.json'));
    await assert.rejects(shelf.write('verifications/unit/x.sh', 'x'), InputError);
    await assert.rejects(shelf.read('verifications/secret'), InputError);
    await assert.rejects(shelf.write('state.json', 'x'), InputError);
    await assert.rejects(shelf.read('state.json'), InputError);
    assert.deepEqual(readdirSync(elsewhere), ['secret']);
    assert.equal(readFileSync(join(elsewhere, 'secret'), 'utf8'), 'secret');
  });

  it('reads through a link above the folder, which is the person’s own', async () => {
    await shelf.write('a/b', 'text');
    const link = join(temporary.path, 'link');
    symlinkSync(realpathSync(folder), link);
    assert.equal(await openShelf(link).read('a/b'), 'text');
  });
});

describe('loop folder', () => {
  let temporary: ReturnType<typeof temporaryFolder>;
  beforeEach(() => (temporary = temporaryFolder()));
  afterEach(() => temporary.remove());

  it('is invisible to git, and made only once', async () => {
    execFileSync('git', ['init', '-q', temporary.path]);
    const folder = await openLoopFolder(temporary.path);
    await openShelf(folder).write('state.json', '{}');
    assert.equal(await openLoopFolder(temporary.path), folder);
    const status = execFileSync('git', ['-C', temporary.path, 'status', '--porcelain', '--untracked-files=all'], {
      encoding: 'utf8',
    });
    assert.equal(status, '');
  });

  it('is not made through a link or over a file', async () => {
    writeFileSync(join(temporary.path, '.loop'), '');
    await assert.rejects(openLoopFolder(temporary.path), InputError);
    const sprint = join(temporary.path, 'sprint');
    mkdirSync(sprint);
    symlinkSync(temporary.path, join(sprint, '.loop'));
    await assert.rejects(openLoopFolder(sprint), InputError);
  });

  it('loses what a killed process was still writing, and nothing else', async () => {
    const folder = await openLoopFolder(temporary.path);
    const shelf = openShelf(folder);
    const kept = ['state.json', 'stage-00-plan/output.md', 'stage-00-plan/mine.tmp', 'pipelines/other/.loop/state.json.0a1b2c3d.tmp'];
    const left = ['state.json.0a1b2c3d.tmp', 'stage-00-plan/iterations/001/context.json.be33a903.tmp'];
    for (const path of [...kept, ...left]) await shelf.write(path, 'text');
    await removeTemporaries(folder);
    for (const path of kept) assert.equal(await shelf.read(path), 'text', path);
    for (const path of left) assert.equal(await shelf.read(path), undefined, path);
  });
});
