/** Files whose name says that they hold a key are in no commit of a sprint, whoever made them; shown with a real git. */
import { strict as assert } from 'node:assert';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { type InputError, RefusedChange } from '../../../src/engine/ground/errors.ts';
import { callGit, type CallGit } from '../../../src/host/git/call.ts';
import { finish, previewFinish } from '../../../src/host/git/finish-branch.ts';
import { openSprintRepo, type SprintRepo } from '../../../src/host/git/repo.ts';
import { createTree } from '../../../src/host/tree-files.ts';
import { branch, git, put, repository, settled, sprint, type Fixture } from './fixture.ts';

const secrets = { '.env': 'DATABASE=postgres://shop:hunter22@db/shop\n', 'tls/server.key': 'key\n', 'credentials.json': '{}\n' };

describe('a file whose name says that it holds a key', () => {
  let at: Fixture;
  let repo: SprintRepo;
  beforeEach(async () => {
    at = repository({ 'a.txt': 'one\n', '.npmrc': 'save-exact=true\n', '.gitignore': '.env.local\n' });
    repo = await sprint(at);
  });
  afterEach(() => at.dispose());

  const committed = (name: string): string[] => git(at.root, 'ls-tree', '-r', '--name-only', name).trim().split('\n');

  it('is removed before a change is taken, and named; what else changed is taken', async () => {
    put(repo.path, { ...secrets, 'b.txt': 'b\n', '.env.example': 'DATABASE=\n' });
    const { files, patch, leftOut } = await createTree(repo).changes();
    assert.deepEqual(leftOut, ['.env', 'credentials.json', 'tls/server.key']);
    assert.deepEqual(
      files.map(({ path }) => path),
      ['.env.example', 'b.txt'],
    );
    assert.doesNotMatch(patch, /hunter22/);
    assert.equal(existsSync(join(repo.path, '.env')), false);
  });

  it('is in no commit, although it was staged before or comes between the change and the commit', async () => {
    put(repo.path, secrets);
    git(repo.path, 'add', '--all');
    assert.deepEqual((await createTree(repo).changes()).files, []);
    await settled(repo, { ...secrets, 'b.txt': 'b\n' });
    assert.deepEqual(committed(branch), ['.gitignore', '.npmrc', 'a.txt', 'b.txt']);
  });

  it('is refused in what the engine commits itself', async () => {
    await assert.rejects(repo.commitFiles({ 'verifications/server.key': 'x' }, 'close', {}), RefusedChange);
  });

  it('is refused by the tool that writes files, with what to do instead; an example and an ignored one are not', async () => {
    const tree = createTree(repo);
    await assert.rejects(
      tree.write('.env', 'x'),
      (error: InputError) => /never commits/.test(error.message) && /\.example/.test(error.next),
    );
    await tree.write('.env.example', 'DATABASE=\n');
    await tree.write('.env.local', 'x');
    assert.equal((await createTree(repo).changes()).leftOut, undefined);
    assert.equal(readFileSync(join(repo.path, '.env.local'), 'utf8'), 'x');
  });

  it('may be changed where the person committed it themselves', async () => {
    await createTree(repo).write('.npmrc', 'save-exact=false\n');
    assert.deepEqual((await createTree(repo).changes()).files, [{ path: '.npmrc', kind: 'modified' }]);
  });

  it('may be moved with a git as old as Loop takes, whose ls-tree knows no format', async () => {
    const old: CallGit = (call, signal) =>
      call.args[0] === 'ls-tree' && call.args.some((arg) => arg.startsWith('--format'))
        ? Promise.resolve({ output: '', exit: 129, stderr: 'error: unknown option `format=...' })
        : callGit(call, signal);
    const aged = await openSprintRepo({ ...repo.options, callGit: old });
    await aged.openWorktree();
    rmSync(join(aged.path, '.npmrc'));
    put(aged.path, { 'app/.npmrc': 'save-exact=true\n' });
    assert.equal((await createTree(aged).changes()).leftOut, undefined);
  });

  it('may be moved where the person committed it themselves, and is not lost', async () => {
    put(repo.path, { 'app/.npmrc': 'save-exact=true\n', 'other/.npmrc': 'token=1\n' });
    rmSync(join(repo.path, '.npmrc'));
    const { files, leftOut } = await createTree(repo).changes();
    assert.deepEqual(leftOut, ['other/.npmrc']);
    assert.deepEqual(
      files.map(({ path, kind }) => `${kind} ${path}`),
      ['deleted .npmrc', 'added app/.npmrc'],
    );
    await settled(repo, {});
    assert.doesNotMatch((await previewFinish(repo, 'main')).problems.join(), /hold a key/);
  });

  it('stays where the person supplied it, and is not committed', async () => {
    put(at.root, { '.env': 'KEY=1\n' });
    assert.deepEqual(await repo.copyInputs(['.env']), []);
    await settled(repo, { 'b.txt': 'b\n' });
    assert.equal(readFileSync(join(repo.path, '.env'), 'utf8'), 'KEY=1\n');
    assert.equal(committed(branch).includes('.env'), false);
  });

  it('keeps Finish from a merge where an older version committed it', async () => {
    put(repo.path, secrets);
    git(repo.path, 'add', '--all');
    git(repo.path, 'commit', '-q', '-m', 'Step 1');
    const problem = /new files whose names say that they hold a key: \.env, credentials\.json, tls\/server\.key/;
    assert.match((await previewFinish(repo, 'main')).problems.join(), problem);
    const options = { target: 'main', message: 'Merge', isVerified: true, verify: () => Promise.resolve([]) };
    for (const how of ['merge', 'squash'] as const) await assert.rejects(finish(repo, how, options), problem);
    assert.equal(committed('main').includes('.env'), false);
  });
});
