/** Programs that ask the system for the user's home, and not `HOME`, find the sandbox's own: a JVM, and so Maven, Gradle and sbt. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { accountsOf, insideUser } from '../../../src/host/sandbox/accounts.ts';
import { World } from './world.ts';

describe('the accounts of a sandbox', () => {
  let world: World;
  before(() => void (world = new World()));
  after(() => world.dispose());

  const script = 'import os, pwd\nprint(pwd.getpwuid(os.getuid()).pw_dir, pwd.getpwnam("daemon").pw_dir)';

  it('say that the home is the one of HOME, and leave other users as they are', async () => {
    const daemon = /^daemon:(?:[^:]*:){4}([^:]*)/m.exec(await world.prints('getent passwd daemon'))?.[1];
    for (const run of [{ command: `python3 -c '${script}'` }, { script, ext: 'py', name: 'v' }])
      assert.equal(await world.prints(run), `/tmp/home ${daemon}`);
  });

  it('name an ordinary user, whom servers of databases and programs that unpack take for one, also where Loop runs as root', async () => {
    assert.deepEqual(
      [insideUser({ uid: 0, gid: 0 }), insideUser({ uid: 7, gid: 8 })],
      [
        { uid: 1000, gid: 1000 },
        { uid: 7, gid: 8 },
      ],
    );
    const { uid } = insideUser();
    const command = 'touch new && stat -c %u new . && id -u && python3 -c "import os, pwd; pwd.getpwuid(os.getuid())"';
    for (const run of [{ command }, { script: command, ext: 'sh', name: 'v' }])
      assert.deepEqual((await world.prints(run)).split('\n'), [uid, uid, uid].map(String));
    assert.notEqual(uid, 0);
  });

  it('keep the name of a user, and give one to a user who has no account', () => {
    const text = 'root:x:0:0:root:/root:/bin/bash\nada:x:1000:1000:Ada,,:/home/ada:/bin/zsh\n';
    assert.equal(accountsOf(text, { uid: 1000, gid: 1000, home: '/tmp/home' }), text.replace('/home/ada', '/tmp/home'));
    assert.equal(accountsOf(text, { uid: 7, gid: 8, home: '/tmp/home' }), `${text}loop:x:7:8::/tmp/home:/bin/sh\n`);
    assert.equal(accountsOf('# none', { uid: 7, gid: 8, home: '/tmp/home' }), '# none\nloop:x:7:8::/tmp/home:/bin/sh\n');
  });
});
