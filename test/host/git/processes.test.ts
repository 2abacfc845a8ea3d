/** Each process of git costs more than all else that the engine does at the end of a session. */
import { strict as assert } from 'node:assert';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { RefusedChange } from '../../../src/engine/ground/errors.ts';
import type { Tree } from '../../../src/engine/ports.ts';
import { callGit, type CallGit } from '../../../src/host/git/call.ts';
import { follow, obstacles } from '../../../src/host/git/follow.ts';
import { openGit } from '../../../src/host/git/git.ts';
import { inspectRepository } from '../../../src/host/git/inspect.ts';
import { openSprintRepo, type SprintRepo } from '../../../src/host/git/repo.ts';
import { createTree } from '../../../src/host/tree-files.ts';
import { branch, git, put, repository, type Fixture } from './fixture.ts';

describe('git at the end of a session', () => {
  let at: Fixture;
  let repo: SprintRepo;
  let tree: Tree;
  let calls: string[];
  beforeEach(async () => {
    at = repository({ 'docs/plan.md': 'one\n' });
    const counted: CallGit = (call, signal) => {
      calls.push(call.args[0] ?? '');
      return callGit(call, signal);
    };
    calls = [];
    const found = await inspectRepository(at.root);
    repo = await openSprintRepo({ repository: found, state: join(at.top, 'state'), branch, base: at.base, callGit: counted });
    await repo.openWorktree();
    tree = createTree(repo);
    // The first commit asks who its author is.
    put(repo.path, { 'docs/plan.md': 'two\n' });
    await tree.changes();
    await repo.commit('two', {});
    calls = [];
  });
  afterEach(() => at.dispose());

  it('is called once where nothing changed, and five times for a change that is committed', async () => {
    assert.deepEqual((await tree.changes()).files, []);
    assert.deepEqual(calls, ['status']);
    calls = [];
    put(repo.path, { 'docs/plan.md': 'three\n', 'docs/new/a.md': '' });
    assert.equal((await tree.changes()).files.length, 2);
    await repo.commit('three', {});
    assert.deepEqual(calls, ['status', 'add', 'diff', 'status', 'commit']);
  });

  it('sees what changes between the look and the commit, nested repositories too', async () => {
    put(repo.path, { 'docs/plan.md': 'three\n' });
    await tree.changes();
    put(repo.path, { 'docs/late.md': 'late\n' });
    const commit = await repo.commit('three', {});
    assert.equal(git(at.root, 'show', '--format=', '--name-only', commit), 'docs/late.md\ndocs/plan.md\n');
    put(repo.path, { 'docs/plan.md': 'four\n' });
    await tree.changes();
    git(join(repo.path, 'docs'), 'init', '-q');
    await assert.rejects(
      repo.commit('four', {}),
      (error) => error instanceof RefusedChange && error.reasons.join().startsWith('docs contains'),
    );
  });
});

describe('git that completes a merge', () => {
  let at: Fixture;
  beforeEach(() => {
    at = repository({ 'a.txt': 'one\n', '.gitattributes': '*.md text eol=crlf\n' });
  });
  afterEach(() => at.dispose());

  it('is asked once about all files that are written already, whatever their names are', async () => {
    const files = { 'a.txt': 'two\n', 'b.md': 'b\r\n', 'new\nline': 'n', 'end\r': 'e', '"quoted"': 'q', 'back\\n': 'k', ' ä b ': 'u' };
    put(at.root, files);
    git(at.root, 'add', '--all');
    git(at.root, 'commit', '-q', '-m', 'all');
    const to = git(at.root, 'rev-parse', 'HEAD').trim();
    git(at.root, 'reset', '-q', '--hard', at.base);
    put(at.root, files);
    const calls: string[] = [];
    const call: CallGit = (one, signal) => {
      calls.push(one.args[0] ?? '');
      return callGit(one, signal);
    };
    const personal = openGit({ folder: at.root, gitDir: join(at.root, '.git'), call });
    assert.deepEqual(await obstacles(personal, at.base, to, true), []);
    await follow(personal, at.base, to, true);
    assert.equal(calls.filter((name) => name === 'hash-object').length, 2, 'before the first write, and to stage them');
    assert.equal(git(at.root, 'diff-index', '--cached', to), '');
    put(at.root, { 'new\nline': 'mine' });
    git(at.root, 'read-tree', at.base);
    assert.deepEqual(await obstacles(personal, at.base, to, true), ['new\nline']);
  });
});
