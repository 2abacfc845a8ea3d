/** Programs that a repository or an agent plants for git to run. None runs when the host uses git. */
import { strict as assert } from 'node:assert';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { RefusedChange } from '../../../src/engine/ground/errors.ts';
import { finish } from '../../../src/host/git/finish-branch.ts';
import type { SprintRepo } from '../../../src/host/git/repo.ts';
import { createTree } from '../../../src/host/tree-files.ts';
import { git, put, repository, settled, sprint, type Fixture } from './fixture.ts';

describe('programs that a repository plants', () => {
  let at: Fixture;
  let canary: string;
  let script: string;
  beforeEach(() => {
    at = repository({ 'a.txt': 'one\n', '.gitattributes': '*.txt filter=evil diff=evil merge=evil\n' });
    canary = join(at.top, 'canary');
    script = join(at.top, 'evil.sh');
    writeFileSync(script, `#!/bin/sh\necho "$0 $@" >> ${canary}\nexit 1\n`);
    chmodSync(script, 0o755);
  });
  afterEach(() => at.dispose());

  /** Does everything that the host does with git during a sprint. */
  async function runAllGit(repo: SprintRepo): Promise<void> {
    await repo.openWorktree();
    const tree = createTree(repo);
    put(repo.path, { 'a.txt': 'two\n' });
    await tree.changes();
    await tree.glob('**', '');
    await tree.grep({ pattern: 'o', under: '', limit: 9 });
    await repo.undo();
    const commit = await settled(repo, { 'b.txt': 'b\n', 'a.txt': 'two\n' });
    await repo.findCommit('1');
    await repo.scratch({ revert: [commit] }, () => Promise.resolve());
    put(at.root, { 'c.txt': 'c\n' });
    git(at.root, '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'commit.gpgsign=false', 'add', 'c.txt');
    git(at.root, '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'commit.gpgsign=false', 'commit', '-qm', 'c');
    await finish(repo, 'merge', { target: 'main', message: 'm', isVerified: true, verify: () => Promise.resolve([]) });
    assert.ok(existsSync(join(at.root, 'b.txt')));
  }

  const settings: Record<string, string> = {
    'core.fsmonitor': 'S',
    'core.pager': 'S',
    'gpg.program': 'S',
    'core.editor': 'S',
    'sequence.editor': 'S',
    'core.askPass': 'S',
    'pager.log': 'S',
    'commit.gpgsign': 'true',
    'log.showSignature': 'true',
    'credential.helper': 'S',
  };
  it('do not run as settings or hooks', async () => {
    for (const [key, value] of Object.entries(settings)) git(at.root, 'config', key, value === 'S' ? script : value);
    const hooks = [
      'pre-commit',
      'commit-msg',
      'prepare-commit-msg',
      'post-commit',
      'post-checkout',
      'post-merge',
      'pre-merge-commit',
      'post-index-change',
      'reference-transaction',
      'post-rewrite',
      'pre-auto-gc',
      'fsmonitor-watchman',
    ];
    for (const hook of hooks) put(at.root, { [`.git/hooks/${hook}`]: `#!/bin/sh\nexec ${script} ${hook}\n` });
    for (const hook of hooks) chmodSync(join(at.root, '.git/hooks', hook), 0o755);
    await runAllGit(await sprint(at));
    assert.ok(!existsSync(canary));
  });

  it('stop Finish when they come as settings during the sprint', async () => {
    const repo = await sprint(at);
    git(at.root, 'config', 'filter.evil.clean', script);
    await assert.rejects(
      finish(repo, 'keep', { target: 'main', message: 'm', isVerified: true, verify: () => Promise.resolve([]) }),
      /filter\.evil\.clean/,
    );
  });

  it('do not run in place of the worktree’s .git file or in a repository inside it', async () => {
    const repo = await sprint(at);
    git(at.top, 'init', '-q', 'planted');
    for (const nested of ['planted', 'state/worktree/repo/sub', 'state/worktree/repo/deep/er']) {
      const folder = join(at.top, nested);
      if (!existsSync(folder)) git(at.top, 'init', '-q', nested);
      put(folder, { x: 'x' });
      git(folder, 'add', 'x');
      git(folder, '-c', 'user.name=x', '-c', 'user.email=x', 'commit', '-qm', 'x');
      git(folder, 'config', 'core.fsmonitor', script);
      git(folder, 'config', 'filter.evil.clean', script);
      git(folder, 'config', 'diff.external', script);
      put(folder, { x: 'y', '.gitattributes': '* filter=evil\n' });
    }
    rmSync(join(repo.path, '.git'));
    writeFileSync(join(repo.path, '.git'), `gitdir: ${join(at.top, 'planted/.git')}\n`);
    const { files } = await createTree(repo).changes();
    assert.deepEqual(files.map((file) => file.path).sort(), ['deep/er/.git', 'sub/.git']);
    await assert.rejects(repo.commit('x', {}), RefusedChange);
    await repo.undo();
    assert.deepEqual(readdirSync(repo.path).sort(), ['.git', '.gitattributes', 'a.txt']);
    await runAllGit(repo);
    assert.ok(!existsSync(canary));
  });

  it('are not passed on from the environment', async () => {
    const repo = await sprint(at);
    const planted = {
      GIT_EXTERNAL_DIFF: script,
      GIT_EDITOR: script,
      GIT_PAGER: script,
      PAGER: script,
      EDITOR: script,
      GIT_SSH_COMMAND: script,
      GIT_DIR: '/nowhere',
      GIT_INDEX_FILE: '/nowhere',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.fsmonitor',
      GIT_CONFIG_VALUE_0: script,
    };
    const kept = Object.fromEntries(Object.keys(planted).map((key) => [key, process.env[key]]));
    Object.assign(process.env, planted);
    try {
      put(repo.path, { 'a.txt': 'two\n' });
      await createTree(repo).changes();
      await repo.commit('x', {});
    } finally {
      for (const [key, value] of Object.entries(kept))
        if (value === undefined) delete process.env[key];
        else process.env[key] = value;
    }
    assert.ok(!existsSync(canary));
  });

  it('leave the person’s own ignore file in force', async () => {
    const home = join(at.top, 'home');
    put(home, { '.config/git/ignore': 'mine.swp\n' });
    const kept = [process.env['HOME'], process.env['XDG_CONFIG_HOME']];
    process.env['HOME'] = home;
    delete process.env['XDG_CONFIG_HOME'];
    try {
      assert.equal(homedir(), home);
      const repo = await sprint(at);
      put(repo.path, { 'mine.swp': 'x', 'node_modules/x': 'x', 'b.txt': 'b' });
      assert.deepEqual((await createTree(repo).changes()).files, [{ path: 'b.txt', kind: 'added' }]);
      await repo.undo();
      assert.ok(existsSync(join(repo.path, 'mine.swp')));
    } finally {
      process.env['HOME'] = kept[0];
      if (kept[1] !== undefined) process.env['XDG_CONFIG_HOME'] = kept[1];
    }
  });
});

describe('git-lfs in the configuration of the person, for which a filter stands in that tells its host', () => {
  let at: Fixture;
  let asked: string;
  const kept = { HOME: process.env['HOME'], GIT_LFS_SKIP_SMUDGE: process.env['GIT_LFS_SKIP_SMUDGE'] };
  beforeEach(() => {
    at = repository({ 'a.txt': 'one\n', '.gitattributes': '*.bin filter=lfs\n', 'old.bin': 'old\n' });
    asked = join(at.top, 'asked');
    const look = '{ cat .lfsconfig || git show :.lfsconfig || git show HEAD:.lfsconfig || echo nobody; } 2>/dev/null';
    const smudge = join(at.top, 'smudge');
    writeFileSync(smudge, `#!/bin/sh\necho "skip=$GIT_LFS_SKIP_SMUDGE $(${look} | tail -n 1)" >> ${asked}\nexec cat\n`);
    chmodSync(smudge, 0o755);
    put(at.top, { 'home/.gitconfig': `[filter "lfs"]\n\tclean = cat\n\tsmudge = ${smudge}\n\trequired = true\n` });
    process.env['HOME'] = join(at.top, 'home');
    process.env['GIT_LFS_SKIP_SMUDGE'] = '1';
  });
  afterEach(() => {
    for (const [key, value] of Object.entries(kept))
      if (value === undefined) delete process.env[key];
      else process.env[key] = value;
    at.dispose();
  });
  const hosts = (): string[] => [...new Set(readFileSync(asked, 'utf8').trim().split('\n'))];
  const planted = { '.lfsconfig': '[lfs]\nurl = https://host.test/what-was-read\n', 'new.bin': 'a pointer\n', 'old.bin': 'another\n' };

  it('is led to no host by a change, and obeys the variable by which the person keeps it from fetching', async () => {
    const repo = await sprint(at);
    put(repo.path, planted);
    const { files, putBack } = await createTree(repo).changes();
    assert.deepEqual([files.map(({ path }) => path), putBack], [['new.bin', 'old.bin'], ['.lfsconfig']]);
    await repo.scratch({ of: 'change', revert: [] }, () => Promise.resolve());
    put(repo.path, planted);
    const commit = await repo.commit('x', {});
    await repo.scratch({ revert: [commit] }, () => Promise.resolve());
    await assert.rejects(createTree(repo).write('.lfsconfig', 'x'), /"\.lfsconfig" is .* what git-lfs goes by: nobody changes it/);
    assert.deepEqual(hosts(), ['skip=1 nobody']);
  });

  it('is led to no host while a change is undone', async () => {
    const repo = await sprint(at);
    rmSync(asked);
    put(repo.path, planted);
    await repo.undo();
    assert.deepEqual(hosts(), ['skip=1 nobody']);
    put(at.root, { '.lfsconfig': '[lfs]\nurl = https://own.test\n' });
    await repo.copyInputs(['.lfsconfig']);
    await repo.undo();
    assert.match(readFileSync(join(repo.path, '.lfsconfig'), 'utf8'), /own\.test/);
  });
});
