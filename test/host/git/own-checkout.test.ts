/** Checkouts of the person's checkout as it is, with what they have not committed. */
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { ownCheckout } from '../../../src/host/git/own-checkout.ts';
import { differences, fingerprint } from './fingerprint.ts';
import { git, put, repository, sprint, type Fixture } from './fixture.ts';

describe('a checkout of the person’s checkout', () => {
  let at: Fixture;
  afterEach(() => at.dispose());

  it('holds what a sparse checkout leaves out, and what lies there all the same as it is', async () => {
    at = repository({ 'a.txt': 'one\n', 'in/b.txt': 'b\n', 'out/c.txt': 'c\n', 'out/d.txt': 'd\n' });
    const repo = await sprint(at);
    git(at.root, 'sparse-checkout', 'set', '--cone', 'in');
    git(at.root, 'update-index', '--skip-worktree', 'in/b.txt');
    put(at.root, { 'a.txt': 'mine\n', 'in/b.txt': 'local\n', 'new.txt': 'new\n' });
    const before = await fingerprint(at.root);
    const checkout = await ownCheckout(repo);
    const texts = await checkout((place) =>
      Promise.resolve(
        ['a.txt', 'in/b.txt', 'new.txt', 'out/c.txt', 'out/d.txt'].map((path) => readFileSync(join(repo.folderOf(place), path), 'utf8')),
      ),
    );
    assert.deepEqual(texts, ['mine\n', 'local\n', 'new\n', 'c\n', 'd\n']);
    assert.deepEqual(differences(before, await fingerprint(at.root)), []);
  });
});
