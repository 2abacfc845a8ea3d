/** Which repositories a sprint can use, and how a first commit is made where there is none. */
import { strict as assert } from 'node:assert';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { InputError } from '../../../src/engine/ground/errors.ts';
import { firstCommitPreview, initialise } from '../../../src/host/git/commit-first.ts';
import { baseOf, inspectRepository, uncommittedIn } from '../../../src/host/git/inspect.ts';
import { differences, fingerprint } from './fingerprint.ts';
import { git, put, repository, type Fixture } from './fixture.ts';

describe('inspecting a repository', () => {
  let at: Fixture;
  beforeEach(() => void (at = repository({ 'sprints/one/PRD.md': '# PRD\n' })));
  afterEach(() => at.dispose());

  async function assertRefused(
    folder: string,
    message: RegExp,
    next: RegExp,
    look: (folder: string) => Promise<unknown> = inspectRepository,
  ) {
    await assert.rejects(look(folder), (error) => error instanceof InputError && message.test(error.message) && next.test(error.next));
  }

  const start = async (folder: string) => baseOf(await inspectRepository(folder));

  it('finds root, branch and the sprint’s folder, also from a linked worktree, and changes nothing', async () => {
    const before = await fingerprint(at.root);
    const found = await inspectRepository(join(at.root, 'sprints/one'));
    const gitDir = join(at.root, '.git');
    assert.deepEqual(found, {
      root: at.root,
      gitDir,
      gitCommonDir: gitDir,
      branch: 'main',
      sprint: 'sprints/one',
    });
    assert.deepEqual(await baseOf(found), { commit: at.base, branch: 'main' });
    assert.deepEqual(differences(before, await fingerprint(at.root)), []);
    git(at.root, 'worktree', 'add', '-q', '--detach', join(at.top, 'linked'));
    const linked = await inspectRepository(join(at.top, 'linked'));
    assert.deepEqual([linked.gitCommonDir, linked.branch, linked.sprint], [gitDir, null, '']);
    assert.deepEqual(await baseOf(linked), { commit: at.base, branch: null });
  });

  it('names a branch as git does where a tag is called alike', async () => {
    git(at.root, 'tag', 'main');
    const found = await inspectRepository(at.root);
    assert.deepEqual([found.branch, (await baseOf(found)).branch], ['main', 'main']);
  });

  it('lists uncommitted files, and changes nothing', async () => {
    const here = await inspectRepository(join(at.root, 'sprints/one'));
    assert.deepEqual(await uncommittedIn(here), []);
    put(at.root, { 'sprints/one/PRD.md': '# Another\n', 'new/a b.txt': 'x', 'ignored.log': 'x', '.gitignore': '*.log\n' });
    const before = await fingerprint(at.root);
    assert.deepEqual((await uncommittedIn(here))?.sort(), ['.gitignore', 'new/a b.txt', 'sprints/one/PRD.md']);
    assert.deepEqual(differences(before, await fingerprint(at.root)), []);
    put(at.root, { '.git/index': 'broken' });
    assert.equal(await uncommittedIn(await inspectRepository(at.root)), undefined);
  });

  it('names the next step where there is no repository, no commit or no work tree', async () => {
    mkdirSync(join(at.top, 'plain'));
    await assertRefused(join(at.top, 'plain'), /not in a git repository/, /git init && git add --all && git commit/);
    await assertRefused(join(at.top, 'nowhere'), /no folder/, /Create it/);
    git(join(at.top, 'plain'), 'init', '-q');
    await assertRefused(join(at.top, 'plain'), /no commit yet/, /git commit/, start);
    git(at.top, 'clone', '-q', '--bare', at.root, 'bare.git');
    await assertRefused(join(at.top, 'bare.git'), /bare/, /lone it|as git says/);
  });

  it('quotes git about a repository that it cannot use', async () => {
    writeFileSync(join(at.root, '.git/config'), '[core\n');
    await assertRefused(at.root, /cannot use the repository at .*bad config line 1/, /Mend it/);
  });

  const executable = [
    'filter.x.clean',
    'filter.x.smudge',
    'filter.x.process',
    'core.sshCommand',
    'core.gitProxy',
    'diff.external',
    'diff.x.command',
    'diff.x.textconv',
    'merge.x.driver',
    'trailer.x.command',
  ];
  it('refuses each setting by which the repository names a program, and names the settings file', async () => {
    for (const key of executable) {
      git(at.root, 'config', key, 'touch owned');
      await assertRefused(at.root, new RegExp(`/repo/\\.git/config sets "${key.toLowerCase()}"`), /--unset-all/);
      git(at.root, 'config', '--unset', key);
    }
    git(at.root, 'config', 'include.path', 'more');
    writeFileSync(join(at.root, '.git/more'), '[filter "y"]\n\tclean = x\n');
    await assertRefused(at.root, /\.git\/more sets "filter\.y\.clean"/, /--unset-all/);
  });

  it('allows git-lfs, and settings that Loop switches off', async () => {
    const settings = {
      'filter.lfs.clean': 'git-lfs clean -- %f',
      'filter.lfs.process': 'git-lfs filter-process',
      'core.hooksPath': '.husky',
      'core.fsmonitor': 'true',
      'alias.x': '!x',
    };
    for (const [key, value] of Object.entries(settings)) git(at.root, 'config', key, value);
    await inspectRepository(at.root);
    git(at.root, 'config', 'filter.lfs.clean', 'sh -c evil');
    await assertRefused(at.root, /filter\.lfs\.clean/, /remove it/);
  });

  it('refuses to start with submodules, and names them; what began before goes on', async () => {
    git(at.root, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', at.root, 'third');
    git(at.root, 'commit', '-q', '-m', 'sub');
    await assertRefused(at.root, /submodules \(third\)/, /not support/, start);
    await inspectRepository(at.root);
  });

  it('refuses to start beside a branch "loop", and names it; what began before goes on', async () => {
    git(at.root, 'branch', 'loop');
    git(at.root, 'pack-refs', '--all');
    await inspectRepository(at.root);
    await assertRefused(at.root, /has a branch "loop"/, /git branch -m loop NEWNAME/, start);
  });

  it('allows a rebase that is under way', async () => {
    git(at.root, 'checkout', '-q', '-b', 'side');
    put(at.root, { 'sprints/one/PRD.md': 'side\n' });
    git(at.root, 'commit', '-qam', 'side');
    git(at.root, 'checkout', '-q', 'main');
    put(at.root, { 'sprints/one/PRD.md': 'main\n' });
    git(at.root, 'commit', '-qam', 'main');
    assert.throws(() => git(at.root, 'rebase', 'side'));
    const before = await fingerprint(at.root);
    assert.equal((await inspectRepository(at.root)).branch, null);
    assert.deepEqual(differences(before, await fingerprint(at.root)), []);
  });
});

describe('a first commit', () => {
  let at: Fixture;
  let folder: string;
  beforeEach(() => {
    at = repository();
    folder = join(at.top, 'plain');
    put(folder, {
      '.gitignore': 'out/\n',
      'out/x': 'x',
      'VISION.md': 'v',
      'src/password_reset.ts': 'x',
      '.env.example': 'A=',
      empty: '',
      '[x].txt': 'x',
    });
    put(folder, {
      '.env': 'A=1',
      'keys/id_rsa': 'x',
      'server.pem': 'x',
      '.npmrc': 'x',
      'credentials.json': '{}',
      'node_modules/x/y.js': 'y',
    });
    put(folder, { 'notes.md': `key: ${['AKIA', 'ABCDEFGHIJKLMNOP'].join('')}\n` });
    symlinkSync('VISION.md', join(folder, 'link'));
    git(folder, 'init', '-q', 'nested');
  });
  afterEach(() => at.dispose());

  it('is previewed with the files that are left out and why, and writes nothing yet', async () => {
    const preview = await firstCommitPreview(folder);
    assert.deepEqual(preview.files, ['.env.example', '.gitignore', 'VISION.md', '[x].txt', 'empty', 'link', 'src/password_reset.ts']);
    assert.deepEqual(preview.leftOut.map((file) => file.path).sort(), [
      '.env',
      '.npmrc',
      'credentials.json',
      'keys/id_rsa',
      'nested/',
      'node_modules/',
      'notes.md',
      'out/',
      'server.pem',
    ]);
    assert.match(preview.leftOut.find((file) => file.path === 'notes.md')?.why ?? '', /line 1 holds an AWS/);
    assert.ok(!existsSync(join(folder, '.git')));
  });

  it('holds exactly the previewed files', async () => {
    const { files } = await firstCommitPreview(folder);
    const commit = await initialise(folder, files);
    assert.deepEqual(git(folder, 'ls-tree', '-r', '-z', '--name-only', commit).split('\0').filter(Boolean), files);
    assert.equal((await baseOf(await inspectRepository(folder))).commit, commit);
    await assert.rejects(initialise(folder, files), InputError);
    assert.equal(readFileSync(join(folder, '.env'), 'utf8'), 'A=1');
  });

  it('is not made inside another repository', async () => {
    put(at.root, { 'inner/x': 'x' });
    await assert.rejects(initialise(join(at.root, 'inner'), ['x']), InputError);
    assert.ok(!existsSync(join(at.root, 'inner/.git')));
  });
});
