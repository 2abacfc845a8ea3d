/** A write into a scratch checkout changes its fingerprint, unless git ignores the file (docs/decisions/0017). */
import assert from 'node:assert/strict';
import { describe, it, beforeEach, afterEach } from 'mocha';
import type { SprintRepo } from '../../../src/host/git/repo.ts';
import { put, repository, sprint, type Fixture } from './fixture.ts';

describe('the fingerprint of a checkout', () => {
  let at: Fixture;
  let repo: SprintRepo;
  beforeEach(async () => {
    at = repository({ 'src/a.js': 'work\n', '.gitignore': 'cache/\n' });
    repo = await sprint(at);
  });
  afterEach(() => at.dispose());

  /** Whether writing `files` changes the fingerprint of a checkout that already holds `before`. */
  function changesWith(files: Record<string, string>, before: Record<string, string> = {}): Promise<boolean> {
    return repo.scratch({ revert: [] }, async (place) => {
      put(repo.folderOf(place), before);
      const first = await repo.fingerprint(place);
      assert.equal(await repo.fingerprint(place), first);
      put(repo.folderOf(place), files);
      return (await repo.fingerprint(place)) !== first;
    });
  }

  it('changes with a write to a tracked or a new file, also to one that was written before', async () => {
    assert.equal(await changesWith({ 'src/a.js': 'other work\n' }), true);
    assert.equal(await changesWith({ 'src/b.js': 'new\n' }), true);
    assert.equal(await changesWith({ 'src/b.js': 'newer\n' }, { 'src/b.js': 'new\n' }), true);
    assert.equal(await changesWith({ 'src/a.js': 'third\n' }, { 'src/a.js': 'second\n' }), true);
  });

  it('stays the same after a write of the same text or into an ignored cache', async () => {
    assert.equal(await changesWith({ 'src/a.js': 'work\n' }), false);
    assert.equal(await changesWith({ 'cache/x': 'y\n' }), false);
  });

  it('exists for the worktree too', async () => {
    const before = await repo.fingerprint('worktree');
    put(repo.path, { 'src/a.js': 'changed\n' });
    assert.notEqual(await repo.fingerprint('worktree'), before);
  });
});
