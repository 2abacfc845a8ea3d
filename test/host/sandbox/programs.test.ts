/** Whether this machine can run a sandbox, and what the person does where it cannot. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { adviceFor, findSandbox, sandboxProblem, type HostFacts } from '../../../src/host/sandbox/programs.ts';

const healthy: HostFacts = {
  platform: 'linux',
  hasBubblewrap: true,
  hasMkfifo: true,
  appArmorRestricts: false,
  namespacesOff: false,
  inContainer: false,
};
const failed = { ...healthy, failure: 'bwrap: No permissions' };

describe('sandbox probe', () => {
  it('finds no problem on this machine, and the programs of a run', async () => {
    assert.equal(await sandboxProblem(), undefined);
    assert.match((await findSandbox([])).bubblewrap, /\/bwrap$/);
  });

  it('refuses programs from a writable folder', async () => {
    await assert.rejects(findSandbox(['/']), { name: 'InputError' });
  });

  const advice: [HostFacts, RegExp][] = [
    [{ ...healthy, hasBubblewrap: false }, /apt install bubblewrap/],
    [{ ...healthy, hasMkfifo: false }, /coreutils/],
    [{ ...healthy, isOld: true }, /older than 0\.5.*Update bubblewrap/],
    [{ ...failed, appArmorRestricts: true }, /\(it says: bwrap: No permissions\).*apparmor\.d\/bwrap/],
    [{ ...failed, namespacesOff: true }, /max_user_namespaces/],
    [{ ...failed, inContainer: true, appArmorRestricts: true }, /systempaths=unconfined/],
    [failed, /unprivileged user namespaces/],
    [{ ...healthy, platform: 'win32' }, /WSL/],
    [{ ...healthy, platform: 'darwin' }, /dev container/],
  ];
  for (const [facts, expected] of advice)
    it(`advises in one paragraph: ${expected.source}`, () => {
      const text = adviceFor(facts) ?? '';
      assert.match(text, expected);
      assert.ok(!text.includes('\n') && text.includes('never without one'));
    });

  it('advises nothing where nothing is wrong', () => assert.equal(adviceFor(healthy), undefined));
});
