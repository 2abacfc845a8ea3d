/** Commands that try to get out of the sandbox. None may reach the canary, the host or the next run. */
import assert from 'node:assert/strict';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import { processesMarked, World } from './world.ts';

const secret = 'the key of the house';

describe('attacks on the sandbox', () => {
  let world: World;
  let gitFile: string;
  before(() => {
    // A variable of the engine's own process, which the sandbox's first process could inherit.
    process.env['THE_KEY'] = secret;
    world = new World();
    gitFile = readFileSync(join(world.tree, '.git'), 'utf8');
  });
  after(() => {
    delete process.env['THE_KEY'];
    world.dispose();
  });
  afterEach(() => {
    assert.equal(readFileSync(world.canary, 'utf8'), 'alive');
    assert.equal(readFileSync(join(world.tree, '.git'), 'utf8'), gitFile);
    assert.deepEqual(readdirSync(world.outside), ['canary']);
  });

  describe('writing', () => {
    const writesOutside: Record<string, string> = {
      redirect: 'echo dead > CANARY',
      'parent folder': 'cd /; echo dead > .CANARY',
      'new file beside it': 'touch CANARY2',
      remove: 'rm -f CANARY',
      rename: 'mv CANARY CANARY2',
      'symbolic link': 'ln -s CANARY link; echo dead > link',
      'hard link': 'ln CANARY hard && echo dead > hard',
      'through /proc': 'echo dead > /proc/self/rootCANARY; echo dead > /proc/1/rootCANARY',
      python: `python3 -c 'open("CANARY", "w").write("dead")'`,
      remount: 'mount -o remount,rw / && echo dead > CANARY',
      'own namespace': `unshare -Urm sh -c 'mount -o remount,rw,bind / ; echo dead > CANARY'`,
      'bind over': `unshare -Urm sh -c 'mount --bind / /tmp/data; echo dead > /tmp/dataCANARY'`,
      'open descriptors': 'for fd in /proc/*/fd/*; do echo dead > $fd/../canary; done',
      'change of owner': 'chmod 777 CANARY; chown 1 CANARY; setfacl -m u:1:rwx CANARY',
      truncate: 'truncate -s 0 CANARY; dd if=/dev/null of=CANARY',
    };
    for (const [name, command] of Object.entries(writesOutside))
      it(`outside the tree fails: ${name}`, async () => {
        const { mode, uid } = statSync(world.canary);
        await world.run(command.replaceAll('CANARY', world.canary));
        assert.deepEqual([statSync(world.canary).mode, statSync(world.canary).uid], [mode, uid]);
        await world.prints('rm -f link hard');
      });

    const gitWrites: Record<string, string> = {
      overwrite: 'echo x > .git',
      rename: 'mv .git .git2 && mkdir .git',
      remove: 'rm -rf .git; mkdir .git',
      'symbolic link': 'ln -sfn /tmp .git',
      'hard link': 'ln .git twin && echo x > twin',
      'the tree itself': 'cd ..; mv $OLDPWD gone; mkdir tree',
      'of the repository': 'echo x > COMMON/hooks/pre-commit; echo x > COMMON/config; git config core.fsmonitor evil',
      'by git':
        'git -c user.name=a -c user.email=a@b.c commit --allow-empty -m x; git branch evil; git tag evil; git checkout -b evil; echo x > y; git add y; git stash -u; rm y',
      'by git, beneath': `git update-ref refs/heads/evil HEAD; git symbolic-ref HEAD refs/heads/evil; git worktree add -b evil /tmp/evil; git remote add evil /tmp; git config x.evil y; git gc; git init`,
    };
    for (const [name, command] of Object.entries(gitWrites))
      it(`.git fails: ${name}`, async () => {
        const common = join(world.repo, '.git');
        const config = readFileSync(join(common, 'config'), 'utf8');
        const branches = world.git('for-each-ref');
        const trees = world.git('worktree', 'list');
        await world.run(command.replaceAll('COMMON', common));
        assert.equal(readFileSync(join(common, 'config'), 'utf8'), config);
        assert.equal(existsSync(join(common, 'hooks', 'pre-commit')), false);
        assert.equal(world.git('for-each-ref'), branches);
        assert.equal(world.git('worktree', 'list'), trees);
        assert.ok(lstatSync(join(world.tree, '.git')).isFile());
      });

    const documentWrites: Record<string, string> = {
      overwrite: 'echo less > DOC',
      rename: 'mv DOC DOC2; echo less > DOC',
      remove: 'rm -f DOC; echo less > DOC',
      'symbolic link': 'echo less > x; ln -sfn ../x DOC',
      'hard link': 'ln DOC twin && echo less > twin',
      'its folder': 'mv my gone; mkdir -p my/sprint; echo less > DOC; rm -rf my; mkdir -p my/sprint; echo less > DOC',
      'a folder above': 'mv my/sprint my/gone; mkdir -p my/sprint; echo less > DOC',
      'bind over': `unshare -Urm sh -c 'echo less > x; mount --bind x DOC; umount DOC; echo less > DOC'`,
    };
    for (const [name, command] of Object.entries(documentWrites))
      it(`a document of the sprint fails: ${name}`, async () => {
        const document = 'my/sprint/PRD.md';
        mkdirSync(join(world.tree, 'my/sprint'), { recursive: true });
        writeFileSync(join(world.tree, document), 'all');
        await world.run(command.replaceAll('DOC', document), {}, { fixed: [document, 'my/sprint/VISION.md'] });
        assert.equal(world.inTree(document), 'all');
        await world.prints('echo more > my/sprint/notes.md', {}, { fixed: [document] });
        for (const left of ['my', 'x', 'twin']) rmSync(join(world.tree, left), { recursive: true, force: true });
      });

    const settingsWrites: Record<string, string> = {
      create: 'mkdir -p .vscode; echo x > .vscode/settings.json',
      'a link first': 'rmdir .vscode; ln -s /tmp .vscode; mkdir -p real; mv real .vscode',
      rename: 'mkdir real; echo x > real/settings.json; mv real .vscode; mv -T real .vscode; mv .vscode old',
      'through dots': 'mkdir a; echo x > a/../.vscode/settings.json',
      'copy a tree': 'mkdir -p b/.vscode; echo x > b/.vscode/settings.json; cp -r b/. .',
      python: `python3 -c 'import os; os.makedirs(".vscode", exist_ok=True); open(".vscode/settings.json", "w").write("x")'`,
      'own namespace': `unshare -Urm sh -c 'umount -l .vscode; echo x > .vscode/settings.json'`,
      idea: 'mkdir -p .idea; echo x > .idea/workspace.xml; mv .idea old',
    };
    for (const [name, command] of Object.entries(settingsWrites))
      it(`editor settings fails where there are none: ${name}`, async () => {
        for (const folder of ['.vscode', '.idea']) rmSync(join(world.tree, folder), { recursive: true, force: true });
        await world.run(command);
        for (const folder of ['.vscode', '.idea']) {
          assert.ok(lstatSync(join(world.tree, folder)).isDirectory());
          assert.deepEqual(readdirSync(join(world.tree, folder)), []);
        }
        await world.prints('rm -rf a b real old');
        assert.equal(await world.prints('git status --porcelain'), '', 'git ignores an empty folder');
      });

    it('editor settings fails where there are some', async () => {
      mkdirSync(join(world.tree, '.vscode'), { recursive: true });
      writeFileSync(join(world.tree, '.vscode', 'settings.json'), '{}');
      assert.equal(await world.prints('cat .vscode/settings.json'), '{}');
      await world.run('echo x > .vscode/settings.json; rm -f .vscode/settings.json; touch .vscode/tasks.json; mv .vscode old');
      assert.equal(world.inTree('.vscode/settings.json'), '{}');
      assert.deepEqual(readdirSync(join(world.tree, '.vscode')), ['settings.json']);
      rmSync(join(world.tree, '.vscode'), { recursive: true });
    });

    it('editor settings fails for sandboxes that start and end at the same time', async () => {
      rmSync(join(world.tree, '.vscode'), { recursive: true, force: true });
      const attack = 'for i in $(seq 100); do mv .vscode v; rmdir .vscode; mkdir .vscode; echo x > .vscode/settings.json; done';
      const all = await Promise.all(Array.from({ length: 8 }, () => world.run(attack)));
      assert.ok(all.every((done) => done.exit !== null));
      assert.deepEqual(readdirSync(join(world.tree, '.vscode')), []);
    });

    it('the records of the sprint fails, even where they lie in the tree and do not exist yet', async () => {
      mkdirSync(join(world.tree, 'sprint'));
      const records = join(world.tree, 'sprint', '.loop');
      await world.run(`mkdir -p ${records}; echo x > ${records}/journal.jsonl; mv ${records} old`, {}, { hidden: [records] });
      assert.deepEqual(readdirSync(records), []);
      rmSync(join(world.tree, 'sprint'), { recursive: true });
    });

    it('settings of the kernel fails, where root could', async () => {
      // Opened but not changed: `core_pattern` names a program that the kernel runs outside of every sandbox.
      const openAll = 'for f in core_pattern pid_max hostname; do : >> /proc/sys/kernel/$f && echo $f; done';
      const remounted = `mkdir -p /tmp/p; for o in -Ur -U; do unshare $o -mpf sh -c 'mount -t proc p /tmp/p && cd /tmp/p/sys/kernel && : >> core_pattern && echo core_pattern; umount -l /proc/sys; ${openAll}'; done`;
      for (const command of [openAll, remounted])
        assert.doesNotMatch((await world.run(command)).output, /^(core_pattern|pid_max|hostname)$/m);
      assert.match(await world.prints('cat /proc/sys/kernel/pid_max'), /^\d+$/);
    });

    it('its own script fails', async () => {
      const script = 'echo "exit 0" > "$0"; rm -f "$0"; mv "$0" /tmp; touch "$(dirname "$0")/package.json"; cat "$0"; exit 7';
      const done = await world.run({ script, ext: '.sh', name: 'self' });
      assert.equal(done.exit, 7);
      // What it finds at its own path is Loop's, unchanged; its text is nowhere.
      assert.ok(done.output.includes('read -r mark') && !done.output.includes('package.json"'), done.output);
    });
  });

  describe('reading', () => {
    const reads: Record<string, string> = {
      'keys in the home': 'cat HOME/.ssh/id_canary; cat ~/.ssh/id_canary; cat HOME/.npmrc ~/.npmrc; grep -r "key of the" HOME',
      'the environment': 'env; cat /proc/*/environ',
      'the host through /proc': 'cat /proc/*/rootHOME/.npmrc; cat /proc/*/cwd/HOME/.npmrc',
      'the address of the remote': 'cat COMMON/config; git config -l; git remote -v',
      'an uncovered home': `unshare -Urm sh -c 'umount -l HOME; cat HOME/.npmrc'`,
    };
    for (const [name, command] of Object.entries(reads))
      it(`finds nothing: ${name}`, async () => {
        const { output } = await world.run(command.replaceAll('HOME', world.home).replaceAll('COMMON', join(world.repo, '.git')));
        assert.ok(!output.includes(secret) && !output.includes('the-key-of-the-house'), output);
      });

    it('finds no passwords of the system', async () => {
      assert.equal(await world.prints('cat /etc/shadow 2>/dev/null | wc -c'), '0');
    });

    it('finds neither the temporary files nor the processes of the host', async () => {
      // A home below the temporary folder is an empty mount there, and folders on PATH are shown where they lie.
      const shownPaths = [homedir(), process.env['HOME'] ?? '', ...(process.env['PATH'] ?? '').split(':')];
      const mounts = new Set(shownPaths.filter((path) => path.startsWith('/tmp/')).map((path) => path.split('/')[2]));
      const names = (await world.prints('ls /tmp')).split('\n').filter((name) => !mounts.has(name));
      assert.deepEqual(names, ['data', 'home', basename(world.folder)]);
      assert.ok(Number(await world.prints('ls -d /proc/[0-9]* | wc -l')) < 8);
    });
  });

  describe('connecting', () => {
    const servers: Server[] = [];
    let connections: string[];
    const serve = async (at: string | 0): Promise<Server> => {
      const server = createServer((socket: Socket) => {
        connections.push('a connection');
        socket.end('hello');
      });
      servers.push(server);
      const ready = new Promise<void>((resolve) => server.once('listening', resolve));
      if (at === 0) server.listen(0, '127.0.0.1');
      else server.listen(at);
      await ready;
      return server;
    };
    before(() => (connections = []));
    after(() => servers.forEach((server) => server.close()));
    const connectTo = (where: string) =>
      `node -e 'require("net").connect(${where}).on("data", (d) => console.log(String(d))).on("error", (e) => console.log(e.code))'`;

    it('to the loopback of the host fails without the network', async () => {
      const { port } = (await serve(0)).address() as AddressInfo;
      const { output } = await world.run(
        `${connectTo(String(port))}; exec 3<>/dev/tcp/127.0.0.1/${port}; python3 -c 'import socket; socket.create_connection(("127.0.0.1", ${port}))'`,
      );
      assert.match(output, /ECONNREFUSED/);
      assert.deepEqual(connections, []);
      await world.run(connectTo(String(port)), { network: true }, { network: 'none' });
      await world.run(connectTo(String(port)), { network: false }, { network: 'all' });
      assert.deepEqual(connections, [], 'only the person and the job together open the network');
      assert.equal(await world.prints(connectTo(String(port)), { network: true }, { network: 'installs' }), 'hello');
      assert.equal(connections.length, 1);
      connections = [];
    });

    it('to Unix sockets fails: temporary folder, home, anywhere, abstract', async () => {
      const paths = [join(world.folder, 'a.sock'), join(world.home, 'b.sock'), join(world.outside, 'c.sock'), '\0loop-abstract'];
      for (const path of paths) await serve(path);
      for (const path of paths) {
        const { output } = await world.run(connectTo(JSON.stringify(path).replace('\\u0000', '\\0')));
        assert.match(output, /ENOENT|ECONNREFUSED|ENOTSOCK|ENXIO/, path);
      }
      assert.deepEqual(connections, []);
      servers.splice(0).forEach((server) => server.close());
    });

    it('to daemons of the system fails: /run and /var/run hold nothing of theirs', async () => {
      assert.equal(await world.prints('ls -A /run /var/run | grep -v : | sort -u | xargs'), 'program reports');
    });
  });

  describe('surviving', () => {
    const mark = `loop-survivor-${process.pid}`;
    const survivors: Record<string, string> = {
      background: 'sleep 100 MARK &',
      'setsid that holds the output': 'setsid sh -c "sleep 100; : MARK" & sleep 0.1',
      'double fork': '( ( sh -c "sleep 100; : MARK" & ) & )',
      'deaf to signals': `setsid bash -c 'trap "" TERM HUP INT; while :; do sleep 1; done; : MARK' & sleep 0.1`,
      nohup: 'nohup sh -c "sleep 100; : MARK" >/dev/null 2>&1 &',
      'kill everybody': 'sh -c "sleep 100; : MARK" & kill -9 -1',
      'kill the parent': 'setsid sh -c "sleep 100; : MARK" & kill -9 $PPID; kill -9 1',
    };
    for (const [name, command] of Object.entries(survivors))
      it(`is not possible: ${name}`, async () => {
        const done = await world.run(command.replaceAll('MARK', mark), { timeout: 60 });
        assert.equal(done.timedOut, false);
        assert.deepEqual(processesMarked(mark), []);
      });

    it('is not possible beyond the timeout, whatever holds the output', async () => {
      const command = `trap '' TERM INT HUP; setsid sh -c "sleep 100; : ${mark}" & sleep 100; : ${mark}`;
      const done = await world.run(command, { timeout: 1 });
      assert.equal(done.timedOut, true);
      assert.equal(done.exit, null);
      assert.ok(done.duration >= 1000 && done.duration < 20_000, `${done.duration} ms`);
      assert.deepEqual(processesMarked(mark), []);
    });

    it('is not possible for a changed environment', async () => {
      const poison =
        'export PAGER=evil NODE_OPTIONS=--evil LD_PRELOAD=/evil GIT_SSH_COMMAND=evil; echo "export EVIL=1" | tee ~/.bashrc ~/.profile; env';
      await world.run(poison);
      const names = (await world.prints('env')).split('\n').map((line) => line.split('=')[0]);
      const allowed =
        /^(PATH|HOME|TMPDIR|USER|LANG|TERM|CI|NO_COLOR|GIT_(OPTIONAL_LOCKS|CONFIG_\w+)|PYTHON(DONTWRITEBYTECODE|PATH)|npm_config_update_notifier|PORT|SEED|TEST_DATA_DIR|PWD|SHLVL|OLDPWD|_|RUSTUP_HOME|PYENV_ROOT|VOLTA_HOME|ASDF_DATA_DIR|JAVA_HOME|GOROOT|DOTNET_ROOT|PLAYWRIGHT_BROWSERS_PATH)$/;
      assert.deepEqual(
        names.filter((name) => !allowed.test(name ?? '')),
        [],
      );
      assert.equal(await world.prints('ls -A ~ | wc -l'), '0');
    });
  });

  it('leave nothing in the temporary folder of the host', async () => {
    const { TMPDIR } = process.env;
    const temporary = join(world.folder, 'temporary');
    mkdirSync(temporary);
    process.env['TMPDIR'] = temporary;
    try {
      await world.run('touch /tmp/x $TEST_DATA_DIR/x $TMPDIR/x');
      await world.run('sleep 9', { timeout: 0.2 });
    } finally {
      if (TMPDIR === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = TMPDIR;
    }
    assert.deepEqual(readdirSync(temporary), []);
  });
});
