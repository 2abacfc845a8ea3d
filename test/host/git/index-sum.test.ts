/** What was judged once is judged again as soon as index or commit differ. */
import { strict as assert } from 'node:assert';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { RefusedChange } from '../../../src/engine/ground/errors.ts';
import { indexSum } from '../../../src/host/git/index-sum.ts';
import type { SprintRepo } from '../../../src/host/git/repo.ts';
import { put, repository, settled, sprint, type Fixture } from './fixture.ts';

describe('the sum of an index', () => {
  let at: Fixture;
  let repo: SprintRepo;
  const sum = (): Promise<string | undefined> => indexSum(repo.git, repo.gitCommonDir);
  beforeEach(async () => {
    at = repository();
    repo = await sprint(at);
  });
  afterEach(() => at.dispose());

  it('stays while nothing is staged, and is another one with other content of the same size and another commit', async () => {
    await settled(repo, { 'b.txt': 'one\n' });
    const first = await sum();
    assert.notEqual(first, undefined);
    assert.equal(await sum(), first);
    put(repo.path, { 'b.txt': 'two\n' });
    await repo.stage();
    const staged = await sum();
    assert.notEqual(staged, first);
    await repo.commit('two', {});
    assert.notEqual(await sum(), staged);
  });

  it('is not there where git keeps none', async () => {
    const index = join(repo.git.at.gitDir ?? '', 'index');
    const bytes = readFileSync(index);
    writeFileSync(index, bytes.fill(0, bytes.length - 20));
    assert.equal(await sum(), undefined);
    rmSync(index);
    assert.equal(await sum(), undefined);
  });

  it('does not let a key through that was staged after the change was judged', async () => {
    put(repo.path, { 'b.txt': 'one\n' });
    await repo.stage();
    const judged = await repo.stagedChange();
    assert.deepEqual(judged.reasons, []);
    assert.equal(await repo.stagedChange(), judged);
    put(repo.path, { 'b.txt': `one\n${['ghp_', 'a'.repeat(36)].join('')}\n` });
    await assert.rejects(
      repo.commit('x', {}),
      (error) => error instanceof RefusedChange && /b\.txt:2 holds a GitHub token/.test(error.message),
    );
  });
});
