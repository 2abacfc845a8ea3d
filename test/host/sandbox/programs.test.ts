import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { adviceFor, findSandbox, sandboxProblem, type HostFacts } from '../../../src/host/sandbox/programs.ts';

const well: HostFacts = {
  platform: 'linux',
  hasBubblewrap: true,
  hasMkfifo: true,
  appArmorRestricts: false,
  namespacesOff: false,
  inContainer: false,
};
const failed = { ...well, failure: 'bwrap: No permissions' };

describe('sandbox probe', () => {
  it('finds nothing wrong here, and the programs of a run', async () => {
    assert.equal(await sandboxProblem(), undefined);
    assert.match((await findSandbox([])).bubblewrap, /\/bwrap$/);
  });

  it('refuses programs from a writable folder, with what to install', async () => {
    await assert.rejects(findSandbox(['/']), { name: 'InputError' });
  });

  const advice: [HostFacts, RegExp][] = [
    [{ ...well, hasBubblewrap: false }, /apt install bubblewrap/],
    [{ ...well, hasMkfifo: false }, /coreutils/],
    [{ ...failed, appArmorRestricts: true }, /\(it says: bwrap: No permissions\).*apparmor\.d\/bwrap/],
    [{ ...failed, namespacesOff: true }, /max_user_namespaces/],
    [{ ...failed, inContainer: true, appArmorRestricts: true }, /systempaths=unconfined/],
    [failed, /unprivileged user namespaces/],
    [{ ...well, platform: 'win32' }, /WSL/],
    [{ ...well, platform: 'darwin' }, /dev container/],
  ];
  for (const [facts, words] of advice)
    it(`says in one paragraph what to do: ${words.source}`, () => {
      const text = adviceFor(facts) ?? '';
      assert.match(text, words);
      assert.ok(!text.includes('\n') && text.includes('never without one'));
    });

  it('says nothing when all is well', () => assert.equal(adviceFor(well), undefined));
});
