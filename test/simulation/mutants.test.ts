/** A mutant is killed by a guarantee that breaks with it and not without it, and by no other error. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'mocha';

describe('a mutant of a guarantee', () => {
  const simulate = (...args: string[]) => spawnSync(process.execPath, ['scripts/simulate.mjs', ...args], { encoding: 'utf8' });

  it('is killed by a sprint that breaks no guarantee without it', () => {
    const { stdout, status } = simulate('--mutants', 'free decision');
    assert.match(stdout, /^seed (\d+): limits: .* burns no fuel of the sprint\n(.*\n)*== killed by seed \1$/m);
    assert.equal(status, 0);
  });

  it('is not killed by a simulation that does not run', () => {
    const { status, stderr } = simulate('--sprints', '1', '--with', 'no world');
    assert.deepEqual([status, stderr.includes('SyntaxError')], [1, true]);
    const mistyped = simulate('--sprints', '1', '--with', '{"crash":1}');
    assert.deepEqual([mistyped.status, mistyped.stderr.includes('There is no parameter "crash"; there are ')], [1, true]);
    const plainBundle = simulate('--sprints', '1', '--mutant', 'free decision');
    assert.deepEqual([plainBundle.status, plainBundle.stderr.includes('this bundle is not made for it')], [1, true]);
  });
});
