/** What was written into a throw-away checkout shows in its fingerprint, and what is ignored does not (docs/decisions/0017). */
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

  /** Whether it is another one once these files were put there, beside what was there before. */
  function differs(files: Record<string, string>, before: Record<string, string> = {}): Promise<boolean> {
    return repo.scratch({ revert: [] }, async (place) => {
      put(repo.folderOf(place), before);
      const seen = await repo.fingerprint(place);
      assert.equal(await repo.fingerprint(place), seen);
      put(repo.folderOf(place), files);
      return (await repo.fingerprint(place)) !== seen;
    });
  }

  it('is another one after a write to a tracked file or of a new one, also to one that was written before', async () => {
    assert.equal(await differs({ 'src/a.js': 'other work\n' }), true);
    assert.equal(await differs({ 'src/b.js': 'new\n' }), true);
    assert.equal(await differs({ 'src/b.js': 'newer\n' }, { 'src/b.js': 'new\n' }), true);
    assert.equal(await differs({ 'src/a.js': 'third\n' }, { 'src/a.js': 'second\n' }), true);
  });

  it('is the same after the same text, and after a write to a cache', async () => {
    assert.equal(await differs({ 'src/a.js': 'work\n' }), false);
    assert.equal(await differs({ 'cache/x': 'y\n' }), false);
  });

  it('can be had of the worktree too', async () => {
    const before = await repo.fingerprint('worktree');
    put(repo.path, { 'src/a.js': 'changed\n' });
    assert.notEqual(await repo.fingerprint('worktree'), before);
  });
});
