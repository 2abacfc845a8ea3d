/** What a sprint was opened with and is judged by: whatever is made of it in the worktree, no change and no commit holds it. */
import { strict as assert } from 'node:assert';
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, lstatSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { baseOf, inspectRepository } from '../../../src/host/git/inspect.ts';
import { openSprintRepo, type SprintRepo } from '../../../src/host/git/repo.ts';
import { createTree } from '../../../src/host/tree-files.ts';
import { branch, git, put, repository, type Fixture } from './fixture.ts';

const prd = 'what was asked for\n';

describe("a sprint's own documents", () => {
  let at: Fixture;
  let repo: SprintRepo;
  beforeEach(async () => {
    at = repository({
      'my/sprint/VISION.md': 'vision\n',
      'my/sprint/PRD.md': prd,
      'my/sprint/services.yaml': 'services: []\n',
      'my/sprint/verifications/old.sh': 'exit 0\n',
      'my/sprint/notes.md': 'notes\n',
      'docs/ARCHITECTURE.md': 'parts\n',
      'reference/report.txt': 'total: 12\n',
    });
    symlinkSync('../../docs/ARCHITECTURE.md', join(at.root, 'my/sprint/ARCHITECTURE.md'));
    git(at.root, 'add', '-A');
    git(at.root, 'commit', '-qm', 'a link');
    repo = await open();
  });
  afterEach(() => at.dispose());
  const open = async (): Promise<SprintRepo> => {
    const found = await inspectRepository(join(at.root, 'my/sprint'));
    const documents = ['VISION.md', 'PRD.md', 'ARCHITECTURE.md', 'services.yaml'];
    const given = ['reference/report.txt', 'reference/not-there-yet.txt'];
    const { commit: base } = await baseOf(found);
    const opened = await openSprintRepo({ repository: found, state: join(at.top, 'state'), branch, base, documents, given });
    await opened.openWorktree();
    return opened;
  };
  /** A document, or a folder above one. */
  const isOwn = (path: string) =>
    /^my(\/sprint)?$|^my\/sprint\/(VISION|PRD|ARCH|serv|verif|loop\.c|DELIV|\.loop)|^docs\/ARCH|^reference(\/report.txt)?$/.test(path);
  const inTree = (path: string) => join(repo.path, path);

  const attacks: Record<string, { make: () => void }> = {
    'rewritten, and what was not there is added': {
      make: () =>
        put(repo.path, {
          'my/sprint/PRD.md': 'less\n',
          'my/sprint/loop.config.yaml': 'x: 1\n',
          'my/sprint/DELIVERY_REPORT.md': 'All is well.\n',
          'my/sprint/verifications/new.sh': 'exit 0\n',
          'docs/ARCHITECTURE.md': 'none\n',
          'reference/report.txt': 'total: 3\n',
        }),
    },
    removed: { make: () => rmSync(inTree('my/sprint/PRD.md')) },
    'in a folder that was replaced': {
      make: () => {
        renameSync(inTree('my/sprint'), inTree('my/old'));
        put(repo.path, { 'my/sprint/PRD.md': 'less\n' });
      },
    },
    'a link in its place': {
      make: () => {
        put(repo.path, { 'less.md': 'less\n' });
        rmSync(inTree('my/sprint/PRD.md'));
        symlinkSync('../../less.md', inTree('my/sprint/PRD.md'));
      },
    },
    'a link in the place of its folder': {
      make: () => {
        put(repo.path, { 'other/PRD.md': 'less\n' });
        rmSync(inTree('my/sprint'), { recursive: true });
        symlinkSync('../other', inTree('my/sprint'));
      },
    },
    'a file in the place of a folder above': {
      make: () => {
        rmSync(inTree('my'), { recursive: true });
        writeFileSync(inTree('my'), 'mine\n');
      },
    },
    'a folder in its place': {
      make: () => {
        rmSync(inTree('my/sprint/PRD.md'));
        put(repo.path, { 'my/sprint/PRD.md/deep/x': 'x' });
      },
    },
    "the sprint's own folder, un-ignored": {
      make: () => put(repo.path, { '.gitignore': '!.loop\n!*\n', 'my/sprint/.loop/journal.jsonl': '{}\n' }),
    },
    'hidden by an ignore file': {
      make: () => put(repo.path, { '.gitignore': 'my/\n', 'my/sprint/PRD.md': 'less\n', 'my/sprint/DELIVERY_REPORT.md': 'x' }),
    },
  };
  for (const [name, { make }] of Object.entries(attacks))
    it(`are put back before a change is taken: ${name}`, async () => {
      make();
      const { files, putBack = [] } = await createTree(repo).changes();
      assert.ok(putBack.length > 0, 'it is told');
      assert.deepEqual(files.map(({ path }) => path).filter(isOwn), []);
      assert.equal(readFileSync(inTree('my/sprint/PRD.md'), 'utf8'), prd);
      assert.ok(lstatSync(inTree('my/sprint/PRD.md')).isFile());
    });

  for (const [name, { make }] of Object.entries(attacks))
    it(`are in no commit: ${name}`, async () => {
      put(repo.path, { 'work.txt': 'work\n' });
      make();
      const commit = await repo.commit('work', { 'Loop-Step': '1' });
      const changed = git(repo.path, 'diff', '--name-only', repo.worktree.base, commit).trim().split('\n');
      assert.deepEqual(changed.filter(isOwn), []);
      assert.ok(changed.includes('work.txt'));
      assert.equal(git(repo.path, 'show', `${commit}:my/sprint/PRD.md`), prd);
    });

  it('stay away where the commit has none: no file and no link comes into their place', async () => {
    git(at.root, 'rm', '-rq', '--cached', 'my');
    git(at.root, 'commit', '-qm', 'documents that are in no commit');
    await repo.removeWorktree();
    git(at.root, 'branch', '-qD', branch);
    const fresh = await open();
    put(fresh.path, { 'my/sprint/PRD.md': 'less\n' });
    assert.deepEqual(await createTree(fresh).changes(), { files: [], patch: '', putBack: ['my/sprint/PRD.md'] });
    rmSync(join(fresh.path, 'my'), { recursive: true, force: true });
    symlinkSync('docs', join(fresh.path, 'my'));
    assert.deepEqual(await createTree(fresh).changes(), { files: [], patch: '', putBack: ['my'] });
  });

  it('are refused by the tools that write, also through a link', async () => {
    const tree = createTree(repo);
    symlinkSync('my/sprint/PRD.md', inTree('link.md'));
    symlinkSync('my/sprint', inTree('way'));
    const paths = ['my/sprint/PRD.md', 'my/sprint/../sprint/PRD.md', 'MY/Sprint/prd.md', 'link.md', 'way/PRD.md', 'way/verifications/x.sh'];
    for (const path of [...paths, 'my/sprint/verifications/new/x.sh', 'my/sprint/DELIVERY_REPORT.md', 'docs/ARCHITECTURE.md', 'my'])
      await assert.rejects(tree.write(path, 'less\n'), { name: 'InputError' }, path);
    await tree.write('my/sprint/notes.md', 'more notes\n');
    await tree.write('my/sprint/verifications-of-mine.md', 'more\n');
    assert.deepEqual(
      (await tree.changes()).files.map(({ path }) => path),
      ['link.md', 'my/sprint/notes.md', 'my/sprint/verifications-of-mine.md', 'way'],
    );
  });

  it('do not hold what they give for comparison and the base does not have', async () => {
    put(repo.path, { 'reference/report.txt': 'total: 3\n', 'reference/not-there-yet.txt': 'new\n' });
    const { files, putBack } = await createTree(repo).changes();
    assert.deepEqual([files.map(({ path }) => path), putBack], [['reference/not-there-yet.txt'], ['reference/report.txt']]);
    assert.equal(readFileSync(inTree('reference/report.txt'), 'utf8'), 'total: 12\n');
  });

  it('stay where the person supplied them, and cost nothing where nothing was touched', async () => {
    put(at.root, { 'my/sprint/verifications/data.csv': '1\n' });
    await repo.copyInputs(['my/sprint/verifications/data.csv']);
    assert.deepEqual(await createTree(repo).changes(), { files: [], patch: '' });
    assert.equal(readFileSync(inTree('my/sprint/verifications/data.csv'), 'utf8'), '1\n');
  });

  it('are written by the engine itself when the sprint closes', async () => {
    mkdirSync(inTree('my/sprint/verifications/cli'), { recursive: true });
    const commit = await repo.commitFiles({ 'DELIVERY_REPORT.md': 'Report\n', 'verifications/cli/a.sh': 'exit 1\n' }, 'close', {});
    assert.equal(git(repo.path, 'show', `${commit}:my/sprint/DELIVERY_REPORT.md`), 'Report\n');
    assert.equal(git(repo.path, 'show', `${commit}:my/sprint/verifications/cli/a.sh`), 'exit 1\n');
  });
});
