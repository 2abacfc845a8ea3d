/** The branch of a new sprint: a name that no other one has, also of those that begin at the same time. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { inspectRepository, type Repository } from '../../src/host/git/inspect.ts';
import { claimBranch } from '../../src/host/own-branch.ts';
import { git, repository, type Fixture } from './git/fixture.ts';

describe('the branch of a new sprint', () => {
  const stateHome = process.env['LOOP_STATE_HOME'];
  const at = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
  let fixture: Fixture;
  let found: Repository;
  beforeEach(async () => {
    fixture = repository();
    process.env['LOOP_STATE_HOME'] = join(fixture.top, 'state');
    found = await inspectRepository(fixture.root);
  });
  afterEach(() => {
    if (stateHome === undefined) delete process.env['LOOP_STATE_HOME'];
    else process.env['LOOP_STATE_HOME'] = stateHome;
    fixture.dispose();
  });

  it('is called by the sprint and the time, and others that begin in that second have numbers', async () => {
    const claimed = await Promise.all(['Shop cart', 'shop-cart', 'shop/cart'].map((name) => claimBranch(found, name, at)));
    const name = 'loop/shop-cart-20260102-030405';
    assert.deepEqual(claimed.map(({ branch }) => branch).sort(), [name, `${name}-2`, `${name}-3`]);
    assert.equal(new Set(claimed.map(({ worktree }) => worktree)).size, 3);
  });

  it('is another one where the names have no Latin letter', async () => {
    const claimed = await Promise.all(['買い物', 'カート'].map((name) => claimBranch(found, name, at)));
    assert.deepEqual(claimed.map(({ branch }) => branch).sort(), ['loop/sprint-20260102-030405', 'loop/sprint-20260102-030405-2']);
  });

  it('is none that the repository has already, and leaves no folder for that', async () => {
    git(fixture.root, 'branch', 'loop/cart-20260102-030405');
    const { branch, worktree } = await claimBranch(found, 'cart', at);
    assert.equal(branch, 'loop/cart-20260102-030405-2');
    assert.equal(readdirSync(dirname(worktree)).length, 1);
  });
});
