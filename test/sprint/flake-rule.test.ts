/** One rule distinguishes a flake from a failure: changing it changes the sprint, the run by hand and *Finish*. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, before, describe, it } from 'mocha';
import { ground, type Ground } from '../support/sprint.ts';
import { sessionsWith } from './flaky-sprint.ts';

interface Results {
  sprint: string[];
  byHand: string[];
  finish: string;
}

describe('the flake rule', () => {
  const child = 'out/swapped/flake-rule-child.cjs';
  let at: Ground;
  before(() => void execFileSync(process.execPath, ['scripts/swappable.mjs', 'test/sprint/flake-rule-child.ts', child]));
  afterEach(() => at.dispose());

  async function resultsUnder(rule: 'as it is' | 'never repeated'): Promise<Results> {
    at = await ground(sessionsWith([]));
    const env = { ...process.env, LOOP_STATE_HOME: join(at.folder, 'state') };
    return JSON.parse(execFileSync(process.execPath, [child, at.sprintDir, at.repo, rule], { env, encoding: 'utf8' })) as Results;
  }

  it('makes a verification that is red, then green a flake in a sprint, by hand and in Finish, which names it and goes on', async () => {
    const { sprint, byHand, finish } = await resultsUnder('as it is');
    assert.deepEqual([sprint, byHand], [['flaky'], ['flaky']]);
    assert.match(finish, /^Squashed into main as .* On the merge these were red, then green: bad\/flaky\.$/);
  });

  it('changes in all three at once, so that Finish refuses', async () => {
    const { sprint, byHand, finish } = await resultsUnder('never repeated');
    assert.deepEqual([sprint, byHand], [['red'], ['red']]);
    assert.match(finish, /^"main" moved on, and together with it these verifications fail: bad\/flaky/);
  });
});
