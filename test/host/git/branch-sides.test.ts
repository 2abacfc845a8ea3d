/** The whole change of a sprint's branch, in real repositories: while it stands, after a merge, and when it is gone. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { branchSides } from '../../../src/host/git/branch-sides.ts';
import { sideText } from '../../../src/host/git/change-sides.ts';
import { branch, git, repository, settled, sprint, type Fixture } from './fixture.ts';

describe('the whole change of a branch', () => {
  let at: Fixture;
  let opened: { branch: string; base: { commit: string; branch: string | null } };
  beforeEach(() => {
    at = repository({ 'a.txt': 'one\n', 'gone.txt': 'gone\n', 'kept.txt': 'kept\n' });
    opened = { branch, base: { commit: at.base, branch: 'main' } };
  });
  afterEach(() => at.dispose());

  /** Two commits, of which the second takes back a part of the first. */
  async function built(more: Record<string, string> = {}): Promise<{ commit: string }[]> {
    const repo = await sprint(at);
    const first = await settled(repo, { 'a.txt': 'two\n', 'kept.txt': 'changed\n', 'new one.txt': 'new\n' }, '1');
    rmSync(join(repo.path, 'gone.txt'));
    const second = await settled(repo, { 'kept.txt': 'kept\n', ...more }, '2');
    return [{ commit: first }, { commit: second }];
  }

  const expected = [
    ['a.txt', 'one\n', 'two\n'],
    ['gone.txt', 'gone\n', null],
    ['new one.txt', null, 'new\n'],
  ];

  async function texts(commits: { commit: string }[]): Promise<unknown> {
    const sides = await branchSides(at.root, opened, commits);
    const text = (hash: string | null): Promise<string> | null => (hash === null ? null : sideText(at.root, hash));
    return sides && Promise.all(sides.files.map(async (f) => [f.path, await text(f.before), await text(f.after)]));
  }

  it('is each file once, from the base to the tip', async () => {
    assert.deepEqual(await texts(await built()), expected);
  });

  it('is there when the branch was merged and deleted', async () => {
    const commits = await built();
    git(at.root, 'worktree', 'prune');
    git(at.root, 'update-ref', '-d', `refs/heads/${branch}`);
    assert.deepEqual(await texts(commits), expected);
  });

  it('names what is no text, and does not show it', async () => {
    const sides = await branchSides(at.root, opened, await built({ 'picture.bin': 'a\0b' }));
    assert.deepEqual([sides?.files.map(({ path }) => path), sides?.others], [['a.txt', 'gone.txt', 'new one.txt'], ['picture.bin']]);
  });

  it('is nothing before the first commit, and where git has it no more', async () => {
    await sprint(at);
    assert.equal(await branchSides(at.root, opened, []), null);
    assert.equal(await branchSides(at.root, { ...opened, branch: 'loop/gone' }, [{ commit: '0'.repeat(40) }]), null);
  });
});
