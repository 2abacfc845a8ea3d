/** A sprint's branch, worktree, commits, inputs and scratch checkouts, beside a checkout that stays as it is (I10). */
import { strict as assert } from 'node:assert';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
  statSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { InputError, Interruption, RefusedChange } from '../../../src/engine/ground/errors.ts';
import { differences, fingerprint } from './fingerprint.ts';
import { branch, closedSprint, git, put, repository, settled, sprint, type Fixture } from './fixture.ts';
import type { Place } from '../../../src/engine/work/job.ts';

describe('the sprint repository', () => {
  let at: Fixture;
  beforeEach(() => void (at = repository({ 'a.txt': 'one\n', 'src/b.txt': 'b\n', '.gitignore': 'ignored/\n' })));
  afterEach(() => at.dispose());

  it('leaves a dirty checkout, its index, its stash and its untracked files as they are: no old code after stash', async () => {
    put(at.root, { 'src/b.txt': 'stashed\n' });
    git(at.root, 'stash');
    put(at.root, { 'a.txt': 'dirty\n', 'staged.txt': 'staged', 'new.txt': 'new', 'ignored/x': 'x' });
    git(at.root, 'add', 'staged.txt');
    const before = await fingerprint(at.root);
    const repo = await sprint(at);
    await settled(repo, { 'c.txt': 'c' });
    put(repo.path, { 'a.txt': 'agent' });
    await repo.undo();
    await repo.scratch({ revert: [] }, () => Promise.resolve());
    assert.deepEqual(differences(before, await fingerprint(at.root)), [`ref refs/heads/${branch}`]);
    assert.equal(git(at.root, 'worktree', 'list').split('\n').filter(Boolean).length, 2);
  });

  it('knows its tip and what it committed, wherever git keeps the branch', async () => {
    const repo = await sprint(at);
    assert.equal(await repo.tip(), at.base);
    git(at.root, 'pack-refs', '--all', '--prune');
    assert.equal(await repo.tip(), at.base);
    const first = await settled(repo, { 'c.txt': 'c' });
    assert.equal(first, git(at.root, 'rev-parse', branch).trim());
    git(at.root, 'pack-refs', '--all', '--prune');
    const unchanged = await settled(repo, { 'c.txt': 'c' }, '2');
    assert.deepEqual([unchanged, await repo.tip()], [first, first]);
    git(at.root, 'update-ref', `refs/heads/${branch}`, at.base);
    assert.equal(await repo.tip(), at.base);
    git(at.root, 'update-ref', '-d', `refs/heads/${branch}`);
    assert.equal(await repo.tip(), undefined);
  });

  it('makes the files of a scratch checkout older than any sprint, links too, and nothing outside', async () => {
    const repo = await sprint(at);
    put(repo.path, { 'new.txt': 'new' });
    symlinkSync('a.txt', join(repo.path, 'link'));
    const commit = await settled(repo, {});
    const isOld = (place: Place): Promise<void> => {
      const ageOf = (name: string): number => (Date.now() - lstatSync(join(repo.folderOf(place), name)).mtimeMs) / 86_400_000;
      assert.deepEqual(
        ['a.txt', 'new.txt', 'link'].map((name) => ageOf(name) > 365),
        [true, true, true],
      );
      return Promise.resolve();
    };
    await repo.scratch({ revert: [] }, isOld);
    await repo.checkout(commit, isOld);
    assert.ok(Date.now() - statSync(join(repo.path, 'new.txt')).mtimeMs < 3_600_000);
  });

  it('finds or restores branch and worktree, whichever of them a crash left', async () => {
    const first = await sprint(at);
    const commit = await settled(first, { 'c.txt': 'c' });
    put(first.path, { 'open.txt': 'uncommitted' });
    const again = await sprint(at);
    assert.equal(readFileSync(join(again.path, 'open.txt'), 'utf8'), 'uncommitted');
    rmSync(first.path, { recursive: true });
    assert.equal(readFileSync(join((await sprint(at)).path, 'c.txt'), 'utf8'), 'c');
    rmSync(join(at.root, '.git/worktrees'), { recursive: true });
    const third = await sprint(at);
    assert.equal(readFileSync(join(third.path, 'c.txt'), 'utf8'), 'c');
    git(at.root, 'update-ref', '-d', `refs/heads/${branch}`);
    const fourth = await sprint(at);
    assert.equal(await fourth.findCommit('1'), commit);
    assert.equal(git(fourth.path, 'status', '--porcelain'), '');
  });

  it('completes an interrupted first checkout, and removes the locks of a git process that died', async () => {
    const repo = await sprint(at);
    const entry = join(at.root, '.git/worktrees/repo');
    rmSync(join(entry, 'index'));
    unlinkSync(join(repo.path, 'a.txt'));
    writeFileSync(join(entry, 'index.lock'), '');
    writeFileSync(join(at.root, `.git/refs/heads/${branch}.lock`), '');
    const again = await sprint(at);
    assert.equal(readFileSync(join(again.path, 'a.txt'), 'utf8'), 'one\n');
    await settled(again, { 'c.txt': 'c' });
  });

  /** As `git worktree add` leaves it until it has put its entry on the branch. */
  const halfMade = (entry: string): void => {
    rmSync(join(entry, 'index'));
    writeFileSync(join(entry, 'HEAD'), `${'0'.repeat(40)}\n`);
  };

  it('makes a worktree anew whose git died before it was on its branch', async () => {
    await sprint(at);
    halfMade(join(at.root, '.git/worktrees/repo'));
    const again = await sprint(at);
    assert.equal(readFileSync(join(again.path, 'a.txt'), 'utf8'), 'one\n');
    assert.equal(git(again.path, 'status', '--porcelain', '--branch'), `## ${branch}\n`);
  });

  it('knows its worktree where git wrote its place down relative to the entry', async () => {
    const { path } = await sprint(at);
    const entry = join(at.root, '.git/worktrees/repo');
    writeFileSync(join(entry, 'gitdir'), `${relative(entry, join(path, '.git'))}\n`);
    put(path, { 'open.txt': 'uncommitted' });
    const again = await sprint(at);
    assert.equal(readFileSync(join(again.path, 'open.txt'), 'utf8'), 'uncommitted');
    await again.removeWorktree();
    assert.deepEqual([existsSync(path), existsSync(entry)], [false, false]);
  });

  it('leaves a worktree to a git that outlived its process and still makes it', async () => {
    const { path } = await sprint(at);
    const entry = join(at.root, '.git/worktrees/repo');
    const [index, head] = ['index', 'HEAD'].map((name) => readFileSync(join(entry, name)));
    assert.ok(index && head);
    halfMade(entry);
    put(path, { 'its-own.txt': 'x' });
    setTimeout(() => {
      writeFileSync(join(entry, 'HEAD'), head);
      writeFileSync(join(entry, 'index'), index);
    }, 300);
    await sprint(at);
    assert.ok(existsSync(join(path, 'its-own.txt')), 'nothing of it was removed');
  });

  it('survives `git worktree prune` by the person, also while its folder is missing', async () => {
    const repo = await sprint(at);
    rmSync(repo.path, { recursive: true });
    git(at.root, 'worktree', 'prune', '--expire=now');
    assert.match(git(at.root, 'worktree', 'list', '--porcelain'), /locked/);
  });

  it('is refused beside a branch "loop" that came meanwhile', async () => {
    const fresh = repository();
    try {
      git(fresh.root, 'branch', 'loop');
      const isRefused = (error: unknown) => error instanceof InputError && /git branch -m loop NEWNAME/.test(error.next);
      await assert.rejects((await closedSprint(fresh)).openWorktree(), isRefused);
    } finally {
      fresh.dispose();
    }
  });

  it('works on the whole tree where the person has a sparse checkout, which stays one', async () => {
    git(at.root, 'sparse-checkout', 'set', 'docs');
    const narrow = () => [existsSync(join(at.root, 'src')), git(at.root, 'sparse-checkout', 'list'), git(at.root, 'status', '--porcelain')];
    const before = narrow();
    const repo = await sprint(at);
    assert.equal(readFileSync(join(repo.path, 'src/b.txt'), 'utf8'), 'b\n');
    put(repo.path, { 'src/new.txt': 'new', 'src/b.txt': 'changed\n', 'else/new.txt': 'new' });
    git(repo.path, 'add', 'src/new.txt');
    await (await closedSprint(at)).openWorktree();
    const commit = await repo.commit('x', {});
    assert.equal(git(at.root, 'show', '--format=', '--name-only', commit), 'else/new.txt\nsrc/b.txt\nsrc/new.txt\n');
    put(repo.path, { 'src/b.txt': 'bad\n' });
    await repo.undo();
    assert.equal(readFileSync(join(repo.path, 'src/b.txt'), 'utf8'), 'changed\n');
    assert.deepEqual(narrow(), before);
  });

  it('refuses a branch of its name that no sprint of this base made', async () => {
    git(at.root, 'checkout', '-q', '--orphan', 'other');
    git(at.root, 'commit', '-q', '-m', 'other');
    git(at.root, 'branch', branch);
    git(at.root, 'checkout', '-q', 'main');
    await assert.rejects(sprint(at), InputError);
  });

  it('commits every change with its trailers, and finds the commit by step', async () => {
    const repo = await sprint(at);
    unlinkSync(join(repo.path, 'src/b.txt'));
    const message = 'Subject\n\nLoop-Step: forged';
    put(repo.path, { 'a.txt': 'two\n', 'node_modules/x/index.js': 'x', 'ignored/y': 'y', '.vscode/settings.json': '{}' });
    const commit = await repo.commit(message, { 'Loop-Task': 'T1', 'Loop-Step': 'step-7' });
    assert.equal(git(at.root, 'show', '--format=', '--name-status', commit), 'M\ta.txt\nD\tsrc/b.txt\n');
    assert.equal(
      git(at.root, 'log', '-1', '--format=%an <%ae> %(trailers:key=Loop-Step,valueonly)', commit).trim(),
      'Ada <ada@example.org> step-7',
    );
    assert.equal(await repo.findCommit('step-7'), commit);
    assert.equal(await repo.findCommit('forged'), undefined);
    assert.equal(await repo.commit('again', { 'Loop-Step': '8' }), commit);
  });

  it('finds no commit from before the base', async () => {
    git(at.root, 'commit', '-q', '--allow-empty', '-m', 'x\n\nLoop-Step: 1');
    at.base = git(at.root, 'rev-parse', 'HEAD').trim();
    assert.equal(await (await sprint(at)).findCommit('1'), undefined);
  });

  it('commits only the closing files, also ignored ones', async () => {
    put(at.root, { '.gitignore': 'verifications/\n' });
    git(at.root, 'commit', '-qam', 'ignore');
    at.base = git(at.root, 'rev-parse', 'HEAD').trim();
    const repo = await sprint(at);
    put(repo.path, { 'open.txt': 'open' });
    const commit = await repo.commitFiles({ 'sprint/verifications/x.sh': 'x', 'REPORT.md': 'r' }, 'Close', { 'Loop-Step': '9' });
    assert.equal(git(at.root, 'show', '--format=', '--name-only', commit), 'REPORT.md\nsprint/verifications/x.sh\n');
    assert.equal(readFileSync(join(repo.path, 'open.txt'), 'utf8'), 'open');
  });

  it('refuses an agent’s secret keys and nested repositories, and names the place', async () => {
    const repo = await sprint(at);
    const head = git(repo.path, 'rev-parse', 'HEAD');
    const key = ['-----BEGIN RSA PRIVATE', ' KEY-----'].join('');
    put(repo.path, { 'src/b.txt': `b\n\n${key}\n${'QUJD'.repeat(16)}\n`, 'docs.md': `a line with ${key} in it\n` });
    await assert.rejects(
      repo.commit('x', {}),
      (error) => error instanceof RefusedChange && /^src\/b\.txt:3 holds a private key$/.test(error.reasons.join()),
    );
    await repo.undo();
    put(repo.path, { 'sub/x': 'x' });
    for (const nested of ['sub', 'src']) git(join(repo.path, nested), 'init', '-q');
    await assert.rejects(repo.commit('x', {}), (error) => error instanceof RefusedChange && error.reasons.length === 2);
    assert.equal(git(repo.path, 'rev-parse', 'HEAD'), head);
    await repo.undo();
    assert.ok(!existsSync(join(repo.path, 'sub')) && !existsSync(join(repo.path, 'src/.git')));
  });

  describe('inputs', () => {
    it('are copied, are kept out of commits even if not ignored, survive undo and reach scratch checkouts', async () => {
      put(at.root, { 'ignored/in': 'i', 'keys/.env': 'K=1', 'data/d1': '1', 'data/deep/d2': '2', 'a.txt': 'filled in\n' });
      const repo = await sprint(at);
      assert.deepEqual(await repo.copyInputs(['keys/.env', 'data', 'gone.txt', 'a.txt', 'ignored/in']), ['gone.txt']);
      put(repo.path, { '.gitignore': '!keys/.env\n!data\n', 'c.txt': 'c', 'keys/.env': 'agent' });
      const commit = await repo.commit('x', {});
      assert.equal(git(at.root, 'show', '--format=', '--name-only', commit), '.gitignore\nc.txt\n');
      rmSync(join(repo.path, 'data'), { recursive: true });
      await repo.undo();
      await repo.scratch({ revert: [] }, (place) => {
        for (const folder of [repo.path, repo.folderOf(place)]) {
          assert.equal(readFileSync(join(folder, 'ignored/in'), 'utf8'), 'i');
          assert.equal(readFileSync(join(folder, 'keys/.env'), 'utf8'), 'K=1');
          assert.equal(readFileSync(join(folder, 'data/deep/d2'), 'utf8'), '2');
          assert.equal(readFileSync(join(folder, 'a.txt'), 'utf8'), 'filled in\n');
        }
        return Promise.resolve();
      });
    });

    it('are refused where they leave the checkout, and never written through an agent’s link', async () => {
      put(at.top, { 'outside/secret': 's' });
      symlinkSync(join(at.top, 'outside'), join(at.root, 'link'));
      put(at.root, { 'conf/.env': 'K' });
      const repo = await sprint(at);
      for (const path of ['link/secret', 'link', '../outside/secret', join(at.top, 'outside/secret'), '.git/config', '.GIT/config', '.'])
        await assert.rejects(repo.copyInputs([path]), InputError, path);
      symlinkSync(join(at.top, 'outside'), join(repo.path, 'conf'));
      await repo.copyInputs(['conf/.env']);
      assert.deepEqual(readdirSync(join(at.top, 'outside')), ['secret']);
      assert.equal(readFileSync(join(repo.path, 'conf/.env'), 'utf8'), 'K');
    });
  });

  describe('the list of supplied inputs', () => {
    const list = (): string => join(at.top, 'state/inputs.json');
    it('is replaced by a new file, so that no crash leaves half of one', async () => {
      put(at.root, { one: '1', two: '2' });
      const repo = await sprint(at);
      await repo.copyInputs(['one']);
      linkSync(list(), join(at.top, 'before'));
      await repo.copyInputs(['two']);
      assert.deepEqual([read(join(at.top, 'before')), read(list())], ['["one"]', '["one","two"]']);
    });

    it('is named with how to mend it where it is damaged, and counts as no empty one', async () => {
      put(at.root, { one: '1' });
      const repo = await sprint(at);
      await repo.copyInputs(['one']);
      for (const damaged of ['', '["one', '{}', '[1]']) {
        writeFileSync(list(), damaged);
        await assert.rejects(
          repo.commit('x', {}),
          (error) => error instanceof InputError && error.message.startsWith(list()) && error.next.includes(join(at.top, 'state/inputs ')),
          damaged,
        );
      }
    });
  });

  describe('scratch checkouts', () => {
    it('revert hunks newest first, blank created files and restore deleted ones', async () => {
      const repo = await sprint(at);
      const first = await settled(repo, { 'a.txt': 'one\ntwo\n', 'made.txt': 'made\n', 'bin/run': '#!/bin/sh\n' }, '1');
      const second = await settled(repo, { 'made.txt': 'made\nmore\n', 'other.txt': 'o\n' }, '2');
      unlinkSync(join(repo.path, 'src/b.txt'));
      const third = await settled(repo, { 'a.txt': 'one\ntwo\nthree\n', 'other.txt': 'o\nmore\n' }, '3');
      const contents = (revert: string[], ...paths: string[]) =>
        repo.scratch({ revert }, (place) => Promise.resolve(paths.map((path) => read(join(repo.folderOf(place), path)))));
      assert.deepEqual(await contents([], 'a.txt', 'src/b.txt'), ['one\ntwo\nthree\n', undefined]);
      assert.deepEqual(await contents([third], 'a.txt', 'src/b.txt', 'made.txt'), ['one\ntwo\n', 'b\n', 'made\nmore\n']);
      assert.deepEqual(await contents([first], 'made.txt', 'bin/run', 'other.txt'), ['\n', '\n', 'o\nmore\n']);
      assert.deepEqual(await contents([second, first], 'other.txt', 'bin/run'), ['\n', '\n']);
      assert.deepEqual(await contents([third, second, first], 'a.txt', 'made.txt', 'other.txt', 'src/b.txt'), ['one\n', '\n', '\n', 'b\n']);
      assert.equal(git(repo.path, 'status', '--porcelain'), '');
    });

    it('leave in a created file what keeps a package of Go or JSON from breaking', async () => {
      const repo = await sprint(at);
      const made = { 'go/add.go': '// Adds.\npackage sums // of all\n\nfunc Add() {}\n', 'package.json': '{"type": "module"}\n' };
      const only = await settled(repo, made, '1');
      const texts = await repo.scratch({ revert: [only] }, (place) =>
        Promise.resolve(Object.keys(made).map((path) => read(join(repo.folderOf(place), path)))),
      );
      assert.deepEqual(texts, ['package sums // of all\n', '{}\n']);
    });

    it('are removed after use in any case, with what a crashed run left', async () => {
      const repo = await sprint(at);
      const folder = join(at.top, 'state/scratch');
      put(folder, { 'old/x/y': '' });
      await assert.rejects(
        repo.scratch({ revert: [] }, () => Promise.reject(new Error('use failed'))),
        /use failed/,
      );
      assert.deepEqual(readdirSync(folder), []);
    });

    it('and what a crashed run wrote into its view are removed when the worktree is opened', async () => {
      const repo = await sprint(at);
      put(join(at.top, 'state'), { 'scratch/old/x/y': '', 'views/view-old/upper/y': '', 'views/view-old/work/work/z': '' });
      chmodSync(join(repo.views, 'view-old', 'work', 'work'), 0);
      await repo.openWorktree();
      assert.deepEqual([readdirSync(join(at.top, 'state/scratch')), readdirSync(repo.views)], [[], []]);
    });

    it('accept files to try, but only inside of them', async () => {
      const repo = await sprint(at);
      await settled(repo, { 'bin/run': 'run' });
      chmodSync(join(repo.path, 'bin/run'), 0o755);
      await repo.commit('executable', {});
      await repo.scratch({ revert: [] }, async (place, write) => {
        await write({ 'bin/run': 'tried', 'new/file': 'new' });
        const folder = repo.folderOf(place);
        assert.deepEqual([read(join(folder, 'bin/run')), read(join(folder, 'new/file'))], ['tried', 'new']);
        assert.equal(lstatSync(join(folder, 'bin/run')).mode & 0o100, 0o100);
        await assert.rejects(write({ '../outside': 'x' }), InputError);
      });
      assert.deepEqual([read(join(repo.path, 'bin/run')), git(repo.path, 'status', '--porcelain')], ['run', '']);
    });

    it('are repositories for the commands in them, and invisible in the person’s repository', async () => {
      const repo = await sprint(at);
      await repo.scratch({ revert: [] }, (place) => {
        assert.equal(git(repo.folderOf(place), 'ls-files').trim(), '.gitignore\na.txt\nsrc/b.txt');
        assert.equal(git(at.root, 'worktree', 'list').trim().split('\n').length, 2);
        return repo.scratch({ revert: [] }, (other) => Promise.resolve(assert.ok(lstatSync(repo.folderOf(place)) && other !== place)));
      });
    });
  });

  it('tells a disk that takes no object from a change that git does not take', async () => {
    const repo = await sprint(at);
    put(repo.path, { 'src/b.txt': 'work\n' });
    const blocked = blockObjects(at.root);
    await assert.rejects(
      repo.commit('x', {}),
      (error) => error instanceof Interruption && error.reason === 'failed-write' && error.message.includes(join(at.root, '.git/objects')),
    );
    assert.equal(readFileSync(join(repo.path, 'src/b.txt'), 'utf8'), 'work\n');
    for (const path of blocked) rmSync(path);
    assert.equal(git(at.root, 'show', '--format=', '--name-only', await repo.commit('x', {})), 'src/b.txt\n');
    put(repo.path, { 'git~1': 'git refuses this name' });
    await assert.rejects(repo.commit('y', {}), RefusedChange);
  });

  it('tells it also where only the commit itself could not be written', async () => {
    const repo = await sprint(at);
    const was = read(join(repo.path, 'src/b.txt')) ?? '';
    const before = git(repo.path, 'rev-parse', 'HEAD');
    await settled(repo, { 'src/b.txt': 'work\n' });
    put(repo.path, { 'src/b.txt': was });
    const blocked = blockObjects(at.root);
    await assert.rejects(repo.commit('x', {}), (error) => error instanceof Interruption && error.reason === 'failed-write');
    for (const path of blocked) rmSync(path);
    await repo.commit('x', {});
    assert.equal(git(repo.path, 'diff', '--stat', before.trim()), '');
  });

  it('commits lines that end as others do, whatever the person’s git says of them', async () => {
    for (const setting of ['core.autocrlf', 'core.safecrlf']) git(at.root, 'config', setting, 'true');
    const repo = await sprint(at);
    await settled(repo, { 'new.txt': 'one\ntwo\n' });
    assert.equal(git(repo.path, 'show', 'HEAD:new.txt'), 'one\ntwo\n');
  });

  it('refuses closing files that git does not take, as it does any change', async () => {
    put(at.root, { '.gitattributes': '*.md working-tree-encoding=UTF-16\n' });
    git(at.root, 'add', '--all');
    git(at.root, 'commit', '-q', '-m', 'attributes');
    at.base = git(at.root, 'rev-parse', 'HEAD').trim();
    const repo = await sprint(at);
    await assert.rejects(repo.commitFiles({ 'DELIVERY_REPORT.md': '# x\n' }, 'Close', {}), RefusedChange);
    await repo.undo();
    assert.equal(git(repo.path, 'status', '--porcelain'), '');
  });

  it('refuses a change that is too large for one text, names the file, and undoes it', async () => {
    const repo = await sprint(at);
    put(repo.path, { 'small.txt': 'x\n', 'data/dump.txt': Buffer.alloc(110 * 1024 * 1024, 'x') });
    await assert.rejects(
      repo.commit('x', {}),
      (error) => error instanceof RefusedChange && /largest file, data\/dump\.txt, has 110 MiB: .*\.gitignore/.test(error.message),
    );
    await repo.restore({ patch: '' });
    assert.equal(git(repo.path, 'status', '--porcelain'), '');
  });

  it('goes by its own disk in worktree and scratch checkouts, where the clone was made on another one', async () => {
    symlinkSync('a.txt', join(at.root, 'link'));
    put(at.root, { 'Read.md': 'r\n' });
    git(at.root, 'add', '--all');
    git(at.root, 'commit', '-q', '-m', 'link');
    at.base = git(at.root, 'rev-parse', 'HEAD').trim();
    for (const setting of ['core.fileMode=false', 'core.ignoreCase=true', 'core.symlinks=false'])
      git(at.root, 'config', ...setting.split('='));
    const repo = await sprint(at);
    assert.ok(lstatSync(join(repo.path, 'link')).isSymbolicLink());
    renameSync(join(repo.path, 'Read.md'), join(repo.path, 'read.md'));
    chmodSync(join(repo.path, 'a.txt'), 0o755);
    symlinkSync('a.txt', join(repo.path, 'new'));
    const commit = await repo.commit('x', {});
    const changes = git(at.root, 'diff-tree', '-r', '--no-renames', '--no-commit-id', commit).split('\n').filter(Boolean);
    assert.deepEqual(
      changes.map((line) => line.replace(/^:\d+ (\d+) \S+ \S+ /, '$1 ')),
      ['000000 D\tRead.md', '100755 M\ta.txt', '120000 A\tnew', '100644 A\tread.md'],
    );
    await repo.checkout(commit, (place) => {
      assert.ok(lstatSync(join(repo.folderOf(place), 'new')).isSymbolicLink());
      return Promise.resolve();
    });
  });

  it('refuses a commit before the worktree is open', async () => {
    const repo = await closedSprint(at);
    await assert.rejects(repo.commit('x', {}), /not open/);
    mkdirSync(repo.path, { recursive: true });
    put(repo.path, { stray: 'x' });
    await repo.openWorktree();
    assert.ok(!existsSync(join(repo.path, 'stray')));
  });
});

function read(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** Files stand where git would make its folders of objects, which also stops root. @returns them. */
function blockObjects(root: string): string[] {
  git(root, 'repack', '-adq');
  git(root, 'prune-packed', '-q');
  const names = Array.from({ length: 256 }, (_, n) => join(root, '.git', 'objects', n.toString(16).padStart(2, '0')));
  for (const name of names) writeFileSync(name, '');
  return names;
}
