/** A verification that goes through what a later task builds, too: nobody is called for it before that task is done. */
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { honest, script, verifications, withSessions, writeVerifications, type Session } from '../support/greeter.ts';
import { ground, run, type Ground } from '../support/sprint.ts';

/** The name's own requirement, seen beside the word of the house, which the third task builds. */
const early = script('cli/name', {
  prd: '1.1, V1',
  red: 'wrong greeting',
  command: 'sh greet.sh Ada && sh greet.sh --house Ada',
  expect: 'Hello, Ada!\nSalute, Ada!',
});
const { path, content } = early.write_verification;
const after = { write_verification: { path, content: content.replace('# RED:', '# AFTER: 1.3\n# RED:') } };

const doubting: Session = {
  role: 'fixer',
  purpose: 'fix/cli/name',
  turns: [
    {
      calls: [
        {
          report_fix: {
            fix_applied: 'nothing',
            files_changed: [],
            reasoning: 'its word is not built yet',
            verification_wrong: { evidence: 'It asks for the word of the house (1.3), which T3 builds.' },
          },
        },
      ],
    },
  ],
};

describe('a verification that goes through the work of another requirement', () => {
  let at: Ground;
  afterEach(() => at.dispose());

  /** Who was called, in order. */
  const played = async (name: typeof early, ...more: Session[]): Promise<string[]> => {
    at = await ground(honest);
    const sessions = withSessions(...more, writeVerifications(name, verifications.world, verifications.house));
    const { ending, state } = await run(at, sessions);
    assert.equal(ending.stop, 'delivered', ending.reasons.join(' '));
    const called = ['execute', 'fix', 'write-verifications'];
    return state.ledger.decisions
      .map(({ decision }) => decision)
      .filter(({ action }) => called.includes(action))
      .map(({ action, target }) => `${action} ${target}`);
  };

  it('calls nobody while the task of that one is open, where it says so', async () => {
    const calls = await played(after);
    assert.deepEqual(calls, ['write-verifications plan', 'execute T1', 'execute T2', 'fix cli/world', 'execute T3']);
  });

  it('is written again with that, where it did not say so and a fixer saw it', async () => {
    const mended: Session = { role: 'qc', purpose: 'write-verifications/cli/name*', turns: [{ calls: [after] }] };
    const calls = await played(early, doubting, mended);
    assert.deepEqual(calls.slice(0, 4), ['write-verifications plan', 'execute T1', 'fix cli/name', 'write-verifications cli/name']);
    assert.equal(calls.filter((call) => call === 'fix cli/name').length, 1);
  });
});
