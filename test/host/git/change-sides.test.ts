/** Both sides of a change, read from its patch in real repositories: kept, undone, dropped, and with a side lost. */
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { changeSides, sideText } from '../../../src/host/git/change-sides.ts';
import { stageAll, stagedPatch } from '../../../src/host/git/staging.ts';
import { branch, git, put, repository, sprint, type Fixture } from './fixture.ts';

describe('the two sides of a change', () => {
  let at: Fixture;
  beforeEach(() => void (at = repository({ 'a.txt': 'one\n', 'src/b with space.txt': 'b\n', 'gone.txt': 'gone\n' })));
  afterEach(() => at.dispose());

  /** Returns the patch of a change of three files, which is then kept or undone. The worktree is removed. */
  async function makeChange(keep: boolean, more: Record<string, string | Buffer> = {}): Promise<string> {
    const repo = await sprint(at);
    put(repo.path, { 'a.txt': 'one\ntwo\n', 'src/b with space.txt': 'c\n', 'new.txt': 'diff --git a/x b/x\n', ...more });
    rmSync(join(repo.path, 'gone.txt'));
    await stageAll(repo.git, []);
    const patch = (await stagedPatch(repo.git)) ?? '';
    if (keep) await repo.commit('Fix', { 'Loop-Step': '1' });
    else await repo.undo();
    await repo.removeWorktree();
    return patch;
  }

  async function texts(patch: string): Promise<unknown> {
    const sides = await changeSides(at.root, patch);
    const text = (hash: string | null): Promise<string> | null => (hash === null ? null : sideText(at.root, hash));
    return sides && Promise.all(sides.map(async (f) => [f.path, await text(f.before), await text(f.after)]));
  }

  const expected = [
    ['a.txt', 'one\n', 'one\ntwo\n'],
    ['gone.txt', 'gone\n', null],
    ['new.txt', null, 'diff --git a/x b/x\n'],
    ['src/b with space.txt', 'b\n', 'c\n'],
  ];

  it('are whole files, for a change that was kept', async () => {
    assert.deepEqual(await texts(await makeChange(true)), expected);
    assert.equal(readFileSync(join(at.root, 'a.txt'), 'utf8'), 'one\n');
  });

  it('exist for a change that was undone, also after the branch is gone', async () => {
    const patch = await makeChange(false);
    git(at.root, 'branch', '-D', branch);
    assert.deepEqual(await texts(patch), expected);
  });

  it('are not shown by halves: nothing is shown once git has collected the objects', async () => {
    const patch = await makeChange(false);
    git(at.root, 'branch', '-D', branch);
    git(at.root, 'reflog', 'expire', '--expire=now', '--all');
    git(at.root, 'gc', '-q', '--prune=now');
    assert.equal(await texts(patch), null);
  });

  it('are no texts for a binary file, a change of mode or no patch at all', async () => {
    assert.equal(await texts(await makeChange(true, { 'logo.png': Buffer.from([0, 1, 2, 255]) })), null);
    assert.equal(await changeSides(at.root, 'diff --git a/x b/x\nold mode 100644\nnew mode 100755\n'), null);
    assert.equal(await changeSides(at.root, ''), null);
    assert.equal(await changeSides(at.root, 'diff --git "a/\\t" "b/\\t"\nindex 1111111..2222222 100644\n'), null);
  });

  it('show no secret', async () => {
    const repo = await sprint(at);
    put(repo.path, { 'key.txt': `key: sk-ant-${'a1B2'.repeat(10)}\n` });
    await stageAll(repo.git, []);
    assert.match(JSON.stringify(await texts((await stagedPatch(repo.git)) ?? '')), /\[redacted\]/);
  });
});
