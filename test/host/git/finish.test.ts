/** Finish: merging, squashing, keeping or dropping the sprint's branch, in real repositories. */
import { strict as assert } from 'node:assert';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { InputError, Interruption } from '../../../src/engine/ground/errors.ts';
import type { Place } from '../../../src/engine/work/job.ts';
import { callGit, type CallGit } from '../../../src/host/git/call.ts';
import { finish, previewFinish, type FinishOptions } from '../../../src/host/git/finish-branch.ts';
import type { FinishWay } from '../../../src/engine/work/finished.ts';
import { inspectRepository } from '../../../src/host/git/inspect.ts';
import { openSprintRepo, type Checkout, type SprintRepo } from '../../../src/host/git/repo.ts';
import { stopUntilBegun } from '../../../src/host/stop.ts';
import { differences, fingerprint } from './fingerprint.ts';
import { branch, git, put, repository, settled, sprint, type Fixture } from './fixture.ts';

describe('finish', () => {
  let at: Fixture;
  let repo: SprintRepo;
  let verified: Place[];
  const options = (over: Partial<FinishOptions> = {}): FinishOptions => ({
    target: 'main',
    message: 'Merge the sprint',
    isVerified: true,
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

  let calls: { left: number; stop: AbortController };
  /** A signal that aborts when the nth call of git begins. */
  function stopAtCall(n: number): AbortSignal {
    calls = { left: n, stop: new AbortController() };
    return calls.stop.signal;
  }
  async function openStoppable(of: Fixture, signal: AbortSignal): Promise<SprintRepo> {
    const counted: CallGit = (call, stopped) => {
      calls.left -= 1;
      if (calls.left === 0) calls.stop.abort();
      return callGit(call, stopped);
    };
    const found = await inspectRepository(of.root);
    return openSprintRepo({ repository: found, state: join(of.top, 'state'), branch, base: of.base, signal, callGit: counted });
  }

  /** Asserts that Finish refuses and changes nothing. */
  async function assertRefused(how: FinishWay, because: RegExp, over: Partial<FinishOptions> = {}, what = ''): Promise<void> {
    const before = await fingerprint(at.root);
    await assert.rejects(finish(repo, how, options(over)), (error) => error instanceof InputError && because.test(error.message), what);
    assert.deepEqual(differences(before, await fingerprint(at.root)), []);
    assert.ok(existsSync(repo.path), 'the worktree stays');
  }
  const commitOnTarget = (files: Record<string, string>) => {
    put(at.root, files);
    git(at.root, 'add', '--all');
    git(at.root, 'commit', '-q', '-m', 'theirs');
  };

  it('merges where git has no name for the author', async () => {
    const home = process.env['HOME'];
    git(at.root, 'config', '--unset', 'user.name');
    git(at.root, 'config', '--unset', 'user.email');
    process.env['HOME'] = at.top;
    try {
      await settled(repo, { 'made.txt': 'made\n' }, '1');
      assert.deepEqual((await previewFinish(repo, 'main')).problems, []);
      await finish(repo, 'merge', options());
      assert.equal(git(at.root, 'log', '-1', '--format=%an <%ae>').trim(), 'Loop <loop@localhost>');
    } finally {
      process.env['HOME'] = home;
    }
  });

  it('merges by the name and address that git knows in the person’s checkout alone', async () => {
    const home = process.env['HOME'];
    git(at.root, 'config', '--unset', 'user.name');
    git(at.root, 'config', '--unset', 'user.email');
    put(at.top, {
      '.gitconfig': `[user]\n\temail = ada@home.example\n[includeIf "gitdir:${at.root}/"]\n\tpath = work\n`,
      work: '[user]\n\tname = Ada = "A" at Work\n\temail = ada@work.example\n',
    });
    process.env['HOME'] = at.top;
    try {
      for (const how of ['squash', 'merge'] as const) {
        if (how === 'merge') await settled(repo, { 'made.txt': 'made\n' }, '1');
        await finish(repo, how, options());
        assert.equal(git(at.root, 'log', '-1', '--format=%an <%ae> %cn').trim(), 'Ada = A at Work <ada@work.example> Ada = A at Work', how);
        await repo.openWorktree();
      }
    } finally {
      process.env['HOME'] = home;
    }
  });

  it('merges and changes only the files of the merge', async () => {
    put(at.root, { 'b.txt': 'stash me' });
    git(at.root, 'stash');
    put(at.root, { 'b.txt': 'dirty', 'dir/x': 'staged', 'mine.txt': 'm', 'x.log': 'ignored', 'new/other.log': 'l' });
    git(at.root, 'add', 'dir/x');
    const tip = git(at.root, 'rev-parse', branch).trim();
    const before = await fingerprint(at.root);
    const done = await finish(repo, 'merge', options());
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
    assert.equal(verified.length, 0, 'the sprint itself verified this tree');
    assert.ok(!existsSync(repo.path));
    assert.equal(git(at.root, 'worktree', 'list').trim().split('\n').length, 1);
    assert.deepEqual(readdirSync(join(at.top, 'state')), []);
  });

  it('squashes into one commit and keeps the branch as the record', async () => {
    const done = await finish(repo, 'squash', options());
    assert.equal(git(at.root, 'log', '--format=%P %s', `${at.base}..main`).trim(), `${at.base} Merge the sprint`);
    assert.equal(git(at.root, 'diff', `${done.commit}`, branch), '');
    assert.equal(git(at.root, 'status', '--porcelain'), '');
  });

  it('squashes where the person’s settings want no fast-forward, or nothing else', async () => {
    git(at.root, 'config', 'merge.ff', 'false');
    assert.deepEqual((await previewFinish(repo, 'main')).problems, []);
    const { commit } = await finish(repo, 'squash', options());
    assert.equal(git(at.root, 'log', '-1', '--format=%P', commit ?? '').trim(), at.base);
    const moved = repository();
    try {
      const other = await sprint(moved);
      await settled(other, { 'd.txt': 'd\n' });
      put(moved.root, { 'theirs.txt': 't' });
      git(moved.root, 'add', '--all');
      git(moved.root, 'commit', '-q', '-m', 'theirs');
      git(moved.root, 'config', 'merge.ff', 'only');
      await finish(other, 'squash', options());
      assert.ok(existsSync(join(moved.root, 'd.txt')));
    } finally {
      moved.dispose();
    }
  });

  it('keeps the branch, or drops it once the person confirms', async () => {
    const before = await fingerprint(at.root);
    await assertRefused('drop', /removes the branch/);
    await finish(repo, 'keep', options());
    assert.deepEqual(differences(before, await fingerprint(at.root)), []);
    assert.ok(!existsSync(repo.path));
    await finish(repo, 'drop', options({ confirmed: true }));
    assert.deepEqual(differences(before, await fingerprint(at.root)), [`ref refs/heads/${branch}`]);
    await assert.rejects(finish(repo, 'merge', options()), InputError);
  });

  it('verifies the merge, with the inputs in place, when the target has new commits', async () => {
    put(at.root, { 'key.log': 'supplied' });
    await repo.copyInputs(['key.log']);
    commitOnTarget({ 'theirs.txt': 't', 'b.txt': 'theirs\n' });
    const inspect = (place: Place) => {
      const folder = repo.folderOf(place);
      const texts = ['a.txt', 'theirs.txt', 'key.log'].map((name) => readFileSync(join(folder, name), 'utf8'));
      assert.deepEqual([texts, existsSync(join(folder, 'left'))], [['one\ntwo\n', 't', 'supplied'], false]);
      writeFileSync(join(folder, 'left'), 'by a verification');
      return Promise.resolve(['unit/sum']);
    };
    // Each call of `checkout` makes a fresh one.
    const verify = async (checkout: Checkout) => [...(await checkout(inspect)), ...(await checkout(inspect))];
    await assertRefused('merge', /unit\/sum/, { verify });
    await finish(repo, 'merge', options());
    assert.equal(verified.length, 1);
    assert.equal(git(at.root, 'status', '--porcelain'), '');
    assert.equal(readFileSync(join(at.root, 'key.log'), 'utf8'), 'supplied');
  });

  it('refuses a conflict and names the files', async () => {
    commitOnTarget({ 'a.txt': 'one\nTWO\n' });
    await assertRefused('merge', /a\.txt/);
    await assertRefused('squash', /a\.txt/);
    assert.match((await previewFinish(repo, 'main')).problems.join(), /a\.txt/);
  });

  const obstacles: { what: string; path: string; create: () => void }[] = [
    { what: 'a dirty file', path: 'a.txt', create: () => put(at.root, { 'a.txt': 'mine' }) },
    {
      what: 'a staged file',
      path: 'a.txt',
      create: () => (put(at.root, { 'a.txt': 'mine' }), git(at.root, 'add', 'a.txt'), put(at.root, { 'a.txt': 'one\n' })),
    },
    { what: 'a file that the person deleted', path: 'a.txt', create: () => unlinkSync(join(at.root, 'a.txt')) },
    { what: 'a dirty file that the merge deletes', path: 'gone.txt', create: () => put(at.root, { 'gone.txt': 'mine' }) },
    { what: 'an untracked file', path: 'd.txt', create: () => put(at.root, { 'd.txt': 'mine' }) },
    { what: 'an identical untracked file', path: 'd.txt', create: () => put(at.root, { 'd.txt': 'd\n' }) },
    {
      what: 'an ignored file',
      path: 'd.txt',
      create: () => (put(at.root, { 'd.txt': 'mine' }), writeFileSync(join(at.root, '.git/info/exclude'), 'd.txt\n')),
    },
    { what: 'a file where a folder must be', path: 'new', create: () => put(at.root, { new: 'mine' }) },
    {
      what: 'a link where a folder must be',
      path: 'new',
      create: () => (mkdirSync(join(at.top, 'out')), symlinkSync(join(at.top, 'out'), join(at.root, 'new'))),
    },
    { what: 'a folder where a file must be', path: 'd.txt/mine', create: () => put(at.root, { 'd.txt/mine': 'mine' }) },
    { what: 'a staged new file', path: 'd.txt', create: () => (put(at.root, { 'd.txt': 'mine' }), git(at.root, 'add', 'd.txt')) },
  ];
  it('refuses a target whose history was rewritten, previews that, and leaves the other ways open', async () => {
    git(at.root, 'checkout', '-q', '--orphan', 'fresh');
    git(at.root, 'commit', '-qm', 'history anew');
    git(at.root, 'branch', '-f', 'main');
    git(at.root, 'checkout', '-q', 'main');
    const unrelated = /^Git cannot merge the sprint into "main" \(refusing to merge unrelated histories\)\.$/;
    assert.match((await previewFinish(repo, 'main')).problems.join(), unrelated);
    for (const how of ['merge', 'squash'] as const) await assertRefused(how, unrelated);
    await finish(repo, 'keep', options());
  });

  it('refuses where a file of the person’s checkout is in the way, and previews that', async () => {
    for (const { what, path, create } of obstacles) {
      create();
      await assertRefused('merge', new RegExp(`in the way of the merge: ${path}\\.`), {}, what);
      git(at.root, 'reset', '-q', '--hard');
      git(at.root, 'clean', '-fdqx');
      rmSync(join(at.root, '.git/info/exclude'), { force: true });
    }
    put(at.root, { 'd.txt/mine': 'mine' });
    assert.match((await previewFinish(repo, 'main')).problems.join(), /in the way of the merge: d\.txt\/mine/);
  });

  it('merges over a file that is another one to git by its time alone', async () => {
    utimesSync(join(at.root, 'a.txt'), 1e9, 1e9);
    assert.deepEqual((await previewFinish(repo, 'main')).problems, []);
    await finish(repo, 'merge', options());
    assert.deepEqual([git(at.root, 'status', '--porcelain'), readFileSync(join(at.root, 'a.txt'), 'utf8')], ['', 'one\ntwo\n']);
  });

  it('refuses what git itself would not update, previews that, and leaves the other ways open', async () => {
    for (const flag of ['skip-worktree', 'assume-unchanged']) {
      git(at.root, 'update-index', `--${flag}`, 'a.txt');
      put(at.root, { 'a.txt': 'local\n' });
      assert.match((await previewFinish(repo, 'main')).problems.join(), /^Git cannot update your checkout \(Entry 'a\.txt'/, flag);
      await assertRefused('merge', /^Git cannot update your checkout/, {}, flag);
      git(at.root, 'update-index', `--no-${flag}`, 'a.txt');
      git(at.root, 'checkout', 'a.txt');
    }
    put(at.root, { 'b.txt': 'stashed\n' });
    git(at.root, 'stash');
    commitOnTarget({ 'b.txt': 'theirs\n' });
    assert.throws(() => git(at.root, 'stash', 'apply'));
    assert.match((await previewFinish(repo, 'main')).problems.join(), /^Git cannot update your checkout/);
    await assertRefused('merge', /^Git cannot update your checkout/);
    await finish(repo, 'keep', options());
  });

  it('says why git failed at the files, and asks for a second try only where it wrote some', async () => {
    const found = await inspectRepository(at.root);
    const failing = (written: Record<string, string>): Promise<SprintRepo> => {
      const call: CallGit = (given, signal) => {
        if (given.args.slice(0, 2).join(' ') !== 'read-tree -m') return callGit(given, signal);
        put(at.root, written);
        return Promise.resolve({ output: '', exit: 128, stderr: 'error: unable to create file d.txt: Read-only file system\n' });
      };
      return openSprintRepo({ ...repo.options, repository: found, callGit: call });
    };
    const refusal = { name: 'InputError', message: /\(unable to create file d\.txt: Read-only file system\)/ };
    await assert.rejects(finish(await failing({}), 'merge', options()), refusal);
    assert.ok(!existsSync(join(at.top, 'state/finish.json')));
    await assert.rejects(finish(await failing({ 'd.txt': 'd\n' }), 'merge', options()), refusal);
    await assertRefused('keep', /was interrupted/);
    await finish(repo, 'merge', options());
    assert.equal(git(at.root, 'status', '--porcelain'), '');
  });

  it('moves only the branch when the person’s checkout is on another one', async () => {
    git(at.root, 'checkout', '-q', '-b', 'elsewhere');
    put(at.root, { 'd.txt': 'untracked', 'a.txt': 'dirty' });
    const before = await fingerprint(at.root);
    await finish(repo, 'squash', options());
    assert.deepEqual(differences(before, await fingerprint(at.root)), ['ref refs/heads/main']);
  });

  it('refuses a target that is missing, gone, checked out elsewhere, or in the middle of a merge or rebase', async () => {
    await assertRefused('merge', /on no branch/, { target: null });
    await assertRefused('merge', /is gone/, { target: 'nope' });
    git(at.root, 'checkout', '-q', '--detach');
    git(at.root, 'worktree', 'add', '-q', join(at.top, 'second'), 'main');
    await assertRefused('merge', /another worktree/);
    git(at.root, 'worktree', 'remove', join(at.top, 'second'));
    git(at.root, 'checkout', '-q', 'main');
    git(at.root, 'branch', 'side');
    commitOnTarget({ 'b.txt': 'ours\n' });
    git(at.root, 'checkout', '-q', 'side');
    commitOnTarget({ 'b.txt': 'side\n' });
    git(at.root, 'checkout', '-q', 'main');
    assert.throws(() => git(at.root, 'merge', 'side'));
    await assertRefused('merge', /middle of a merge/);
    git(at.root, 'merge', '--abort');
    assert.throws(() => git(at.root, 'rebase', 'side'));
    await assertRefused('merge', /being rebased/);
  });

  it('refuses to delete the branch under another checkout, and leaves the other ways open', async () => {
    const look = join(at.top, 'look');
    git(at.root, 'worktree', 'add', '-q', '--force', look, branch);
    const held = new RegExp(`"${branch}" is checked out in another worktree, ${look}\\.`);
    for (const how of ['merge', 'drop'] as const) await assertRefused(how, held, { confirmed: true });
    git(at.root, 'worktree', 'remove', look);
    git(at.root, 'switch', '-q', '--ignore-other-worktrees', branch);
    await assertRefused('drop', /is checked out in another worktree, .*repo\./, { confirmed: true });
    await finish(repo, 'squash', options());
    assert.equal(git(at.root, 'show', 'main:d.txt'), 'd\n');
  });

  it('drops no commit of the person’s that is nowhere else', async () => {
    const leftAt = git(at.root, 'rev-parse', branch).trim();
    const mine = git(at.root, 'commit-tree', `${branch}^{tree}`, '-p', branch, '-m', 'My own fix').trim();
    git(at.root, 'update-ref', `refs/heads/${branch}`, mine);
    const drop = options({ confirmed: true, leftAt });
    await assertRefused('drop', new RegExp(`has commits that are not Loop's, .*: ${mine.slice(0, 7)} My own fix\\.`), drop);
    git(at.root, 'branch', 'mine', mine);
    await finish(repo, 'drop', drop);
    assert.equal(git(at.root, 'branch', '--list', branch), '');
  });

  it('drops a branch that the person put back, also where git has forgotten what it left', async () => {
    git(at.root, 'update-ref', `refs/heads/${branch}`, at.base);
    await finish(repo, 'drop', options({ confirmed: true, leftAt: '1'.repeat(40) }));
    assert.equal(git(at.root, 'branch', '--list', branch), '');
  });

  it('merges where a worktree of the target was deleted by hand', async () => {
    const second = join(at.top, 'second');
    git(at.root, 'checkout', '-q', '--detach');
    git(at.root, 'worktree', 'add', '-q', second, 'main');
    rmSync(second, { recursive: true });
    await finish(repo, 'merge', options());
    assert.equal(git(at.root, 'show', 'main:d.txt'), 'd\n');
  });

  it('refuses a target that a rebase of another branch will move', async () => {
    git(at.root, 'checkout', '-q', '-b', 'above');
    commitOnTarget({ 'b.txt': 'above\n' });
    git(at.root, 'branch', '-f', 'main');
    commitOnTarget({ 'a.txt': 'above\n' });
    git(at.root, 'checkout', '-q', '-b', 'side', at.base);
    commitOnTarget({ 'a.txt': 'side\n' });
    git(at.root, 'checkout', '-q', 'above');
    assert.throws(() => git(at.root, 'rebase', '--update-refs', 'side'));
    await assertRefused('merge', /"main" is being rebased/);
  });

  it('changes the files of a checkout whose branch the target is an alias of', async () => {
    git(at.root, 'branch', '-m', 'main', 'trunk');
    git(at.root, 'symbolic-ref', 'refs/heads/main', 'refs/heads/trunk');
    await finish(repo, 'merge', options());
    assert.deepEqual([git(at.root, 'status', '--porcelain'), git(at.root, 'show', 'trunk:d.txt')], ['', 'd\n']);
  });

  for (const { what, move } of [
    {
      what: 'with its git folder elsewhere',
      move: ({ root, top }: Fixture) => (git(root, 'init', '-q', '--separate-git-dir', join(top, 'elsewhere.git')), root),
    },
    {
      what: 'of a submodule',
      move({ root, top }: Fixture) {
        git(top, 'init', '-q', '-b', 'main', 'above');
        git(join(top, 'above'), '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', root, 'repo');
        return join(top, 'above', 'repo');
      },
    },
  ])
    it(`merges into a checkout ${what}, and refuses a branch of another worktree there`, async () => {
      const other = repository();
      try {
        const root = move(other);
        const moved = { ...other, root };
        git(root, 'config', 'user.name', 'Ada');
        git(root, 'config', 'user.email', 'ada@example.org');
        const work = await sprint(moved);
        await settled(work, { 'd.txt': 'd\n' });
        git(root, 'checkout', '-q', '--detach');
        git(root, 'worktree', 'add', '-q', join(other.top, 'second'), 'main');
        assert.match((await previewFinish(work, 'main')).problems.join(), /checked out in another worktree, .*second/);
        git(root, 'worktree', 'remove', join(other.top, 'second'));
        git(root, 'checkout', '-q', 'main');
        await finish(work, 'merge', options());
        assert.deepEqual([git(root, 'status', '--porcelain'), readFileSync(join(root, 'd.txt'), 'utf8')], ['', 'd\n']);
      } finally {
        other.dispose();
      }
    });

  it('refuses while work is not settled', async () => {
    put(repo.path, { 'open.txt': 'o' });
    await assertRefused('merge', /not settled yet: open\.txt/);
    await assertRefused('keep', /not settled yet/);
  });

  it('only removes the branch where the person merged it already', async () => {
    git(at.root, 'merge', '-q', branch);
    const before = await fingerprint(at.root);
    await finish(repo, 'merge', options());
    assert.deepEqual(differences(before, await fingerprint(at.root)), [`ref refs/heads/${branch}`]);
  });

  it('previews the merge and changes nothing', async () => {
    commitOnTarget({ 'theirs.txt': 't' });
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

  it('verifies the merge also where the target did not move, unless the sprint is known to be green', async () => {
    await assertRefused('merge', /^These verifications fail on the sprint's work: cli\/x\.$/, {
      isVerified: false,
      verify: () => Promise.resolve(['cli/x']),
    });
    assert.deepEqual(await finish(repo, 'merge', options({ isVerified: false })).then(() => verified.length), 1);
  });

  for (const how of ['merge', 'squash', 'keep', 'drop'] as const)
    it(`does all of a ${how} or nothing, at whichever call of git it is stopped`, async () => {
      put(at.root, { 'b.txt': 'dirty', 'mine.txt': 'm' });
      const before = await fingerprint(at.root);
      let [last, stops, isDone] = [0, 0, false];
      while (!isDone) {
        const stop = stopUntilBegun(stopAtCall((last += 1)));
        const { begin } = stop;
        const attempt = async () =>
          finish(await openStoppable(at, stop.signal), how, options({ begin, confirmed: true, isVerified: false }));
        isDone = await attempt().then(
          () => true,
          (error: unknown) => {
            assert.ok(error instanceof Interruption && error.reason === 'cancelled', String(error));
            return false;
          },
        );
        if (isDone) break;
        stops += 1;
        assert.deepEqual(differences(before, await fingerprint(at.root)), [], `stopped at call ${last}`);
        assert.ok(existsSync(repo.path));
      }
      assert.ok(stops >= (how === 'drop' ? 1 : 4), `it was stopped ${stops} times`);
      assert.ok(!existsSync(repo.path));
      const isMerged = how === 'merge' || how === 'squash';
      assert.equal(existsSync(join(at.root, 'd.txt')), isMerged);
      assert.equal(git(at.root, 'rev-parse', 'main').trim() === at.base, !isMerged);
      assert.equal(git(at.root, 'status', '--porcelain'), ' M b.txt\n?? mine.txt\n');
      assert.equal(git(at.root, 'branch', '--list', branch) === '', how === 'merge' || how === 'drop');
    });

  describe('where the person goes on while the merge is verified', () => {
    const meanwhile = (act: () => void) =>
      options({
        isVerified: false,
        verify() {
          act();
          return Promise.resolve([]);
        },
      });
    const isMoved = (error: unknown) => error instanceof InputError && /"main" moved on while the merge was made/.test(error.message);

    it('refuses a target that has a new commit, changes nothing, and merges it the next time', async () => {
      await assert.rejects(
        finish(
          repo,
          'merge',
          meanwhile(() => commitOnTarget({ 'theirs.txt': 't' })),
        ),
        isMoved,
      );
      assert.deepEqual([git(at.root, 'log', '-1', '--format=%s').trim(), git(at.root, 'status', '--porcelain')], ['theirs', '']);
      assert.ok(existsSync(repo.path));
      await finish(repo, 'merge', options());
      assert.equal(git(at.root, 'status', '--porcelain'), '');
      assert.ok(existsSync(join(at.root, 'theirs.txt')) && existsSync(join(at.root, 'd.txt')));
    });

    it('puts their files back where the commit came while these were written', async () => {
      let before: Record<string, string> | undefined;
      const commitsFirst: CallGit = async (call, signal) => {
        if (!before && call.args.slice(0, 2).join(' ') === 'read-tree -m') {
          commitOnTarget({ 'theirs.txt': 't' });
          before = await fingerprint(at.root);
        }
        return callGit(call, signal);
      };
      const found = await inspectRepository(at.root);
      const late = await openSprintRepo({ ...repo.options, repository: found, callGit: commitsFirst });
      await assert.rejects(finish(late, 'merge', options()), isMoved);
      assert.deepEqual(differences(before ?? {}, await fingerprint(at.root)), []);
      await finish(repo, 'merge', options());
      assert.equal(git(at.root, 'status', '--porcelain'), '');
    });

    it('moves only the branch where they switched to another one', async () => {
      await finish(
        repo,
        'merge',
        meanwhile(() => git(at.root, 'checkout', '-q', '-b', 'elsewhere')),
      );
      assert.deepEqual([git(at.root, 'status', '--porcelain'), existsSync(join(at.root, 'd.txt'))], ['', false]);
      assert.equal(git(at.root, 'show', 'main:d.txt'), 'd\n');
    });

    it('moves their files, too, where they switched to the target', async () => {
      git(at.root, 'checkout', '-q', '-b', 'elsewhere');
      await finish(
        repo,
        'merge',
        meanwhile(() => git(at.root, 'checkout', '-q', 'main')),
      );
      assert.deepEqual([git(at.root, 'status', '--porcelain'), existsSync(join(at.root, 'd.txt'))], ['', true]);
    });
  });

  describe('after a crash', () => {
    /** Writes what a process leaves that dies during Finish. Returns the commit that was to become the target. */
    function crash(how: 'merge' | 'squash' = 'merge'): string {
      const [tree = '', tip = ''] = git(at.root, 'rev-parse', `${branch}^{tree}`, branch).split('\n');
      const parents = ['-p', at.base, ...(how === 'merge' ? ['-p', branch] : [])];
      const to = git(at.root, 'commit-tree', tree, ...parents, '-m', 'Merge the sprint').trim();
      writeFileSync(join(at.top, 'state/finish.json'), JSON.stringify({ how, target: 'main', from: at.base, to, tip }));
      return to;
    }
    const complete = async (to: string) => {
      assert.deepEqual(await finish(repo, 'merge', options()), { how: 'merge', commit: to });
      assert.equal(git(at.root, 'rev-parse', 'main').trim(), to);
      assert.equal(git(at.root, 'status', '--porcelain'), '');
      assert.ok(!existsSync(repo.path));
    };

    it('before the first file, starts again', () => complete(crash()));

    it('with some files written and the old index, completes the merge', async () => {
      const to = crash();
      put(at.root, { 'a.txt': 'one\ntwo\n', 'new/c.txt': 'c\n' });
      unlinkSync(join(at.root, 'gone.txt'));
      await complete(to);
    });

    it('with a lock that git left, asks to remove it, and completes the merge then', async () => {
      const to = crash();
      put(at.root, { 'a.txt': 'one\ntwo\n', '.git/index.lock': '' });
      await assertRefused('merge', /index\.lock/);
      unlinkSync(join(at.root, '.git/index.lock'));
      await complete(to);
    });

    it('with links written, but no executable bit, completes the merge', async () => {
      symlinkSync('a.txt', join(repo.path, 'link'));
      unlinkSync(join(repo.path, 'dir/x'));
      symlinkSync('../b.txt', join(repo.path, 'dir/x'));
      chmodSync(join(repo.path, 'b.txt'), 0o755);
      await repo.commit('Links and modes', {});
      const to = crash();
      symlinkSync('a.txt', join(at.root, 'link'));
      unlinkSync(join(at.root, 'dir/x'));
      symlinkSync('../b.txt', join(at.root, 'dir/x'));
      assert.deepEqual((await previewFinish(repo, 'main')).problems, []);
      await complete(to);
    });

    it('refuses a link of the person’s', async () => {
      symlinkSync('a.txt', join(repo.path, 'link'));
      await repo.commit('A link', {});
      crash();
      symlinkSync('b.txt', join(at.root, 'link'));
      await assertRefused('merge', /in the way of the merge: link\./);
    });

    it('with files and index written, completes the merge', async () => {
      const to = crash();
      git(at.root, 'read-tree', '-m', '-u', at.base, to);
      assert.deepEqual((await previewFinish(repo, 'main')).problems, []);
      await complete(to);
    });

    it('with the branch moved, only cleans up', async () => {
      const to = crash();
      git(at.root, 'merge', '-q', '--ff-only', to);
      rmSync(repo.path, { recursive: true });
      await complete(to);
    });

    for (const how of ['squash', 'keep', 'drop'] as const)
      it(`with the branch moved, completes the merge where ${how} is chosen, and the preview says that it is made`, async () => {
        const to = crash();
        git(at.root, 'merge', '-q', '--ff-only', to);
        const { made, commits } = await previewFinish(repo, 'main');
        assert.deepEqual([made, commits], ['merge', []]);
        assert.deepEqual(await finish(repo, how, options({ confirmed: true })), { how: 'merge', commit: to });
        assert.equal(git(at.root, 'branch', '--list', branch), '');
      });

    it('with the branch moved, merges also what came onto the sprint’s since', async () => {
      git(at.root, 'merge', '-q', '--ff-only', crash());
      await settled(repo, { 'late.txt': 'l' }, '3');
      await finish(repo, 'merge', options());
      assert.equal(git(at.root, 'show', 'main:late.txt'), 'l');
    });

    for (const made of ['merge', 'squash'] as const)
      it(`with the branch moved by a ${made}, does what is chosen where the sprint went on since`, async () => {
        git(at.root, 'merge', '-q', '--ff-only', crash(made));
        await settled(repo, { 'late.txt': 'l' }, '3');
        assert.equal((await previewFinish(repo, 'main')).made, null);
        assert.deepEqual(await finish(repo, 'keep', options()), { how: 'keep' });
        assert.equal(git(at.root, 'show', `${branch}:late.txt`), 'l');
      });

    it('with a squash not begun, brings also what came onto the sprint’s since', async () => {
      crash('squash');
      await settled(repo, { 'late.txt': 'l' }, '3');
      assert.equal((await finish(repo, 'squash', options())).how, 'squash');
      assert.equal(git(at.root, 'show', 'main:late.txt'), 'l');
    });

    it('with the branch moved, loses no change that is not settled', async () => {
      git(at.root, 'merge', '-q', '--ff-only', crash());
      put(repo.path, { 'mine.txt': 'm' });
      assert.match((await previewFinish(repo, 'main')).problems.join(), /not settled yet: mine\.txt/);
      for (const how of ['merge', 'squash', 'keep'] as const) await assertRefused(how, /not settled yet: mine\.txt/);
      await assertRefused('drop', /not settled yet: mine\.txt/, { confirmed: true });
      assert.ok(existsSync(join(repo.path, 'mine.txt')));
    });

    it('refuses where the person changed a file meanwhile, or chooses another way to finish', async () => {
      crash();
      put(at.root, { 'a.txt': 'mine' });
      await assertRefused('merge', /a\.txt/);
      await assertRefused('keep', /was interrupted/);
      await assertRefused('drop', /was interrupted/, { confirmed: true });
    });

    it('starts again where the target moved meanwhile', async () => {
      crash();
      commitOnTarget({ 'theirs.txt': 't' });
      await finish(repo, 'merge', options());
      assert.equal(verified.length, 1);
      assert.ok(existsSync(join(at.root, 'theirs.txt')) && existsSync(join(at.root, 'd.txt')));
    });
  });

  it('keeps the executable bit and works in a checkout below a linked worktree', async () => {
    put(repo.path, { 'bin/run': '#!/bin/sh\n' });
    chmodSync(join(repo.path, 'bin/run'), 0o755);
    await repo.commit('x', {});
    await finish(repo, 'merge', options());
    assert.match(git(at.root, 'ls-files', '-s', 'bin/run'), /^100755/);
  });
});
