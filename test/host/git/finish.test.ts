import { strict as assert } from 'node:assert';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { InputError } from '../../../src/engine/ground/errors.ts';
import type { Place } from '../../../src/engine/work/job.ts';
import { finish, previewFinish, type FinishHow, type FinishOptions } from '../../../src/host/git/finish-branch.ts';
import type { Checkout, SprintRepo } from '../../../src/host/git/repo.ts';
import { differences, fingerprint } from './fingerprint.ts';
import { branch, git, put, repository, settled, sprint, type Fixture } from './fixture.ts';

describe('finish', () => {
  let at: Fixture;
  let repo: SprintRepo;
  let verified: Place[];
  const ending = (over: Partial<FinishOptions> = {}): FinishOptions => ({
    target: 'main',
    message: 'Merge the sprint',
    verify: (checkout) =>
      checkout((place) => {
        verified.push(place);
        return Promise.resolve([]);
      }),
    ...over,
  });
  beforeEach(async () => {
    verified = [];
    at = repository({ 'a.txt': 'one\n', 'b.txt': 'b\n', 'gone.txt': 'g\n', 'dir/x': 'x', '.gitignore': '*.log\n' });
    repo = await sprint(at);
    unlinkSync(join(repo.path, 'gone.txt'));
    await settled(repo, { 'a.txt': 'one\ntwo\n', 'new/c.txt': 'c\n' }, '1');
    await settled(repo, { 'd.txt': 'd\n' }, '2');
  });
  afterEach(() => at.dispose());

  /** A refusal leaves nothing changed, whatever the reason. */
  async function refused(how: FinishHow, because: RegExp, over: Partial<FinishOptions> = {}, what = ''): Promise<void> {
    const before = await fingerprint(at.root);
    await assert.rejects(finish(repo, how, ending(over)), (error) => error instanceof InputError && because.test(error.message), what);
    assert.deepEqual(differences(before, await fingerprint(at.root)), []);
    assert.ok(existsSync(repo.path), 'the worktree stays');
  }
  const move = (files: Record<string, string>) => {
    put(at.root, files);
    git(at.root, 'add', '--all');
    git(at.root, 'commit', '-q', '-m', 'theirs');
  };

  it('merges where git knows nobody by name', async () => {
    const home = process.env['HOME'];
    git(at.root, 'config', '--unset', 'user.name');
    git(at.root, 'config', '--unset', 'user.email');
    process.env['HOME'] = at.top;
    try {
      await settled(repo, { 'made.txt': 'made\n' }, '1');
      assert.deepEqual((await previewFinish(repo, 'main')).problems, []);
      await finish(repo, 'merge', ending());
      assert.equal(git(at.root, 'log', '-1', '--format=%an <%ae>').trim(), 'Loop <loop@localhost>');
    } finally {
      process.env['HOME'] = home;
    }
  });

  it('merges and touches nothing but the files of the merge', async () => {
    put(at.root, { 'b.txt': 'stash me' });
    git(at.root, 'stash');
    put(at.root, { 'b.txt': 'dirty', 'dir/x': 'staged', 'mine.txt': 'm', 'x.log': 'ignored', 'new/other.log': 'l' });
    git(at.root, 'add', 'dir/x');
    const tip = git(at.root, 'rev-parse', branch).trim();
    const before = await fingerprint(at.root);
    const done = await finish(repo, 'merge', ending());
    assert.deepEqual(differences(before, await fingerprint(at.root)), [
      'file a.txt',
      'file d.txt',
      'file gone.txt',
      'file new/c.txt',
      'index a.txt:0',
      'index d.txt:0',
      'index gone.txt:0',
      'index new/c.txt:0',
      `ref refs/heads/${branch}`,
      'ref refs/heads/main',
    ]);
    assert.equal(git(at.root, 'log', '-1', '--format=%P %s', 'main').trim(), `${at.base} ${tip} Merge the sprint`);
    assert.equal(done.commit, git(at.root, 'rev-parse', 'main').trim());
    assert.equal(git(at.root, 'status', '--porcelain'), ' M b.txt\nM  dir/x\n?? mine.txt\n');
    assert.equal(verified.length, 0, 'the sprint itself verified this very tree');
    assert.ok(!existsSync(repo.path));
    assert.equal(git(at.root, 'worktree', 'list').trim().split('\n').length, 1);
    assert.deepEqual(readdirSync(join(at.top, 'state')), []);
  });

  it('squashes into one commit and keeps the branch as the record', async () => {
    const done = await finish(repo, 'squash', ending());
    assert.equal(git(at.root, 'log', '--format=%P %s', `${at.base}..main`).trim(), `${at.base} Merge the sprint`);
    assert.equal(git(at.root, 'diff', `${done.commit}`, branch), '');
    assert.equal(git(at.root, 'status', '--porcelain'), '');
  });

  it('keeps the branch, or drops it once that was confirmed', async () => {
    const before = await fingerprint(at.root);
    await refused('drop', /removes the branch/);
    await finish(repo, 'keep', ending());
    assert.deepEqual(differences(before, await fingerprint(at.root)), []);
    assert.ok(!existsSync(repo.path));
    await finish(repo, 'drop', ending({ confirmed: true }));
    assert.deepEqual(differences(before, await fingerprint(at.root)), [`ref refs/heads/${branch}`]);
    await assert.rejects(finish(repo, 'merge', ending()), InputError);
  });

  it('runs every verification on the merge when the branch moved on, with the inputs there', async () => {
    put(at.root, { 'key.log': 'supplied' });
    await repo.copyInputs(['key.log']);
    move({ 'theirs.txt': 't', 'b.txt': 'theirs\n' });
    const look = (place: Place) => {
      const folder = repo.folderOf(place);
      const seen = ['a.txt', 'theirs.txt', 'key.log'].map((name) => readFileSync(join(folder, name), 'utf8'));
      assert.deepEqual([seen, existsSync(join(folder, 'left'))], [['one\ntwo\n', 't', 'supplied'], false]);
      writeFileSync(join(folder, 'left'), 'by one of them');
      return Promise.resolve(['unit/sum']);
    };
    // Each checkout is a fresh one.
    const verify = async (checkout: Checkout) => [...(await checkout(look)), ...(await checkout(look))];
    await refused('merge', /unit\/sum/, { verify });
    await finish(repo, 'merge', ending());
    assert.equal(verified.length, 1);
    assert.equal(git(at.root, 'status', '--porcelain'), '');
    assert.equal(readFileSync(join(at.root, 'key.log'), 'utf8'), 'supplied');
  });

  it('refuses a conflict and names the files', async () => {
    move({ 'a.txt': 'one\nTWO\n' });
    await refused('merge', /a\.txt/);
    await refused('squash', /a\.txt/);
    assert.match((await previewFinish(repo, 'main')).problems.join(), /a\.txt/);
  });

  const obstacles: [string, string, () => void][] = [
    ['a dirty file', 'a.txt', () => put(at.root, { 'a.txt': 'mine' })],
    ['a staged file', 'a.txt', () => (put(at.root, { 'a.txt': 'mine' }), git(at.root, 'add', 'a.txt'), put(at.root, { 'a.txt': 'one\n' }))],
    ['a file they deleted', 'a.txt', () => unlinkSync(join(at.root, 'a.txt'))],
    ['a dirty file that the merge deletes', 'gone.txt', () => put(at.root, { 'gone.txt': 'mine' })],
    ['an untracked file', 'd.txt', () => put(at.root, { 'd.txt': 'mine' })],
    ['an identical untracked file', 'd.txt', () => put(at.root, { 'd.txt': 'd\n' })],
    ['an ignored file', 'd.txt', () => (put(at.root, { 'd.txt': 'mine' }), writeFileSync(join(at.root, '.git/info/exclude'), 'd.txt\n'))],
    ['a file where a folder must be', 'new', () => put(at.root, { new: 'mine' })],
    [
      'a link where a folder must be',
      'new',
      () => (mkdirSync(join(at.top, 'out')), symlinkSync(join(at.top, 'out'), join(at.root, 'new'))),
    ],
    ['a folder where a file must be', 'd.txt/mine', () => put(at.root, { 'd.txt/mine': 'mine' })],
    ['a staged new file', 'd.txt', () => (put(at.root, { 'd.txt': 'mine' }), git(at.root, 'add', 'd.txt'))],
  ];
  it('refuses whatever is in the way in their checkout, and previews it', async () => {
    for (const [what, path, make] of obstacles) {
      make();
      await refused('merge', new RegExp(`in the way of the merge: ${path}\\.`), {}, what);
      git(at.root, 'reset', '-q', '--hard');
      git(at.root, 'clean', '-fdqx');
      rmSync(join(at.root, '.git/info/exclude'), { force: true });
    }
    put(at.root, { 'd.txt/mine': 'mine' });
    assert.match((await previewFinish(repo, 'main')).problems.join(), /in the way of the merge: d\.txt\/mine/);
  });

  it('moves the branch alone when their checkout is on something else', async () => {
    git(at.root, 'checkout', '-q', '-b', 'elsewhere');
    put(at.root, { 'd.txt': 'untracked', 'a.txt': 'dirty' });
    const before = await fingerprint(at.root);
    await finish(repo, 'squash', ending());
    assert.deepEqual(differences(before, await fingerprint(at.root)), ['ref refs/heads/main']);
  });

  it('refuses a target that is gone, elsewhere, never was, or in the middle of something', async () => {
    await refused('merge', /on no branch/, { target: null });
    await refused('merge', /is gone/, { target: 'nope' });
    git(at.root, 'checkout', '-q', '--detach');
    git(at.root, 'worktree', 'add', '-q', join(at.top, 'second'), 'main');
    await refused('merge', /another worktree/);
    git(at.root, 'worktree', 'remove', join(at.top, 'second'));
    git(at.root, 'checkout', '-q', 'main');
    git(at.root, 'branch', 'side');
    move({ 'b.txt': 'ours\n' });
    git(at.root, 'checkout', '-q', 'side');
    move({ 'b.txt': 'side\n' });
    git(at.root, 'checkout', '-q', 'main');
    assert.throws(() => git(at.root, 'merge', 'side'));
    await refused('merge', /middle of a merge/);
    git(at.root, 'merge', '--abort');
    assert.throws(() => git(at.root, 'rebase', 'side'));
    await refused('merge', /being rebased/);
  });

  it('refuses while work is not settled', async () => {
    put(repo.path, { 'open.txt': 'o' });
    await refused('merge', /not settled yet: open\.txt/);
    await refused('keep', /not settled yet/);
  });

  it('is nothing to do where they merged it themselves', async () => {
    git(at.root, 'merge', '-q', branch);
    const before = await fingerprint(at.root);
    await finish(repo, 'merge', ending());
    assert.deepEqual(differences(before, await fingerprint(at.root)), [`ref refs/heads/${branch}`]);
  });

  it('previews what would happen and changes nothing', async () => {
    move({ 'theirs.txt': 't' });
    const before = await fingerprint(at.root);
    const preview = await previewFinish(repo, 'main');
    assert.deepEqual(differences(before, await fingerprint(at.root)), []);
    assert.deepEqual(
      preview.commits.map((c) => c.subject),
      ['Step 2', 'Step 1'],
    );
    assert.deepEqual(
      preview.files.map((f) => `${f.kind} ${f.path}`),
      ['modified a.txt', 'added d.txt', 'deleted gone.txt', 'added new/c.txt'],
    );
    assert.deepEqual([preview.target, preview.moved, preview.problems], ['main', true, []]);
  });

  describe('after a crash', () => {
    /** What stood on disk when the process died, and the commit it was about to make the target. */
    function cut(): string {
      const tree = git(at.root, 'rev-parse', `${branch}^{tree}`).trim();
      const to = git(at.root, 'commit-tree', tree, '-p', at.base, '-p', branch, '-m', 'Merge the sprint').trim();
      writeFileSync(join(at.top, 'state/finish.json'), JSON.stringify({ how: 'merge', target: 'main', from: at.base, to }));
      return to;
    }
    const complete = async (to: string) => {
      assert.deepEqual(await finish(repo, 'merge', ending()), { how: 'merge', commit: to });
      assert.equal(git(at.root, 'rev-parse', 'main').trim(), to);
      assert.equal(git(at.root, 'status', '--porcelain'), '');
      assert.ok(!existsSync(repo.path));
    };

    it('before the first file, it is done anew', () => complete(cut()));

    it('with some files written and the index old, it is completed', async () => {
      const to = cut();
      put(at.root, { 'a.txt': 'one\ntwo\n', 'new/c.txt': 'c\n' });
      unlinkSync(join(at.root, 'gone.txt'));
      await complete(to);
    });

    it('with files and index written, it is completed', async () => {
      const to = cut();
      git(at.root, 'read-tree', '-m', '-u', at.base, to);
      await complete(to);
    });

    it('with the branch moved, only the clearing is left', async () => {
      const to = cut();
      git(at.root, 'merge', '-q', '--ff-only', to);
      rmSync(repo.path, { recursive: true });
      await complete(to);
    });

    it('is refused where the person changed a file meanwhile, or chooses otherwise', async () => {
      cut();
      put(at.root, { 'a.txt': 'mine' });
      await refused('merge', /a\.txt/);
      await refused('keep', /cut short/);
      await refused('drop', /cut short/, { confirmed: true });
    });

    it('begins again where the branch moved meanwhile', async () => {
      cut();
      move({ 'theirs.txt': 't' });
      await finish(repo, 'merge', ending());
      assert.equal(verified.length, 1);
      assert.ok(existsSync(join(at.root, 'theirs.txt')) && existsSync(join(at.root, 'd.txt')));
    });
  });

  it('keeps the executable bit and works in a checkout below a linked worktree', async () => {
    put(repo.path, { 'bin/run': '#!/bin/sh\n' });
    chmodSync(join(repo.path, 'bin/run'), 0o755);
    await repo.commit('x', {});
    await finish(repo, 'merge', ending());
    assert.match(git(at.root, 'ls-files', '-s', 'bin/run'), /^100755/);
  });
});
