/** A builder does more than its task. The next one has nothing left to change, and its verifications show that. */
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { trustOf } from '../../src/engine/judge/trust.ts';
import { build, verifications, writeVerifications, script, withSessions, type Session } from '../support/greeter.ts';
import { ground, run, type Ground } from '../support/sprint.ts';

const both = 'name="${1:-world}"\necho "Hello, $name!"\n';
const eager = build('T1', { write_file: { path: 'greet.sh', content: both } });
const idle = build('T2');

describe('a task whose work was done by another', () => {
  let at: Ground;
  afterEach(() => at.dispose());

  async function runToEnd(...changed: Session[]) {
    const sessions = withSessions(eager, idle, ...changed);
    at = await ground(sessions);
    return run(at, sessions);
  }

  it('is done without a change, and its verification is proven by reverting that work', async () => {
    const { ending, state, events } = await runToEnd();
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    const facts = events.flatMap((e) => (e.type === 'step.ended' ? e.facts : []));
    assert.deepEqual(
      facts.filter((f) => f.fact === 'task.shown'),
      [{ fact: 'task.shown', id: 'T2' }],
    );
    const verification = state.work.verifications['cli/world'];
    assert.deepEqual(verification && trustOf(state, verification), {
      trusted: true,
      by: 'revert',
      why: 'with the commit that it covers taken out it fails for its stated reason',
    });
  });

  it('is not done where its verification was never red', async () => {
    const blind = script('cli/world', { prd: '1.2', red: 'wrong default', command: 'echo hello', expect: 'hello' });
    const { ending, state } = await runToEnd(writeVerifications(verifications.name, blind, verifications.house));
    assert.notEqual(ending.stop, 'delivered');
    assert.equal(state.work.tasks['T2']?.status, 'pending');
    assert.match(state.work.tasks['T2']?.setback ?? '', /its verifications do not show it done/);
  });
});
