/** What of the host a sandbox shows: toolchains, variables, the repository's configuration, sockets. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { bundleChild } from '../children.ts';
import { environmentOf } from '../../../src/host/sandbox/environment.ts';
import { shownGitConfig } from '../../../src/host/sandbox/git-config.ts';
import { inspectHost, layOut, listeningSockets, type TreeLayout } from '../../../src/host/sandbox/layout.ts';
import { findProgram, isWithin, kindOf } from '../../../src/host/sandbox/places.ts';
import { findToolchains } from '../../../src/host/sandbox/toolchains.ts';

describe('the layout of a sandbox', () => {
  let home: string;
  beforeEach(() => (home = realpathSync(mkdtempSync(join(tmpdir(), 'loop-home-')))));
  afterEach(() => rmSync(home, { recursive: true }));
  const folder = (...parts: string[]) => {
    const path = join(home, ...parts);
    mkdirSync(path, { recursive: true });
    return path;
  };
  const shownToolchains = (...path: string[]) =>
    findToolchains(home, { PATH: path.join(':') }).shown.filter((file) => isWithin(file, home));

  it('shows a whole toolchain, also one found through links', () => {
    const bin = folder('.nvm', 'versions', 'node', 'v20', 'bin');
    folder('.nvm', 'versions', 'node', 'v20', 'lib');
    symlinkSync(bin, join(home, 'current'));
    const { path, shown: all } = findToolchains(home, { PATH: join(home, 'current') });
    assert.ok(path.startsWith(`${bin}:`));
    assert.ok(all.includes(join(home, '.nvm/versions/node/v20')));
    assert.deepEqual(shownToolchains(folder('.pyenv', 'shims'), folder('.pyenv', 'libexec')), [
      join(home, '.pyenv'),
      join(home, '.pyenv/libexec'),
    ]);
  });

  it('shows only what programs need of .cargo, of a plain bin and of .local', () => {
    const [cargo, bin, local, lib] = [folder('.cargo', 'bin'), folder('bin'), folder('.local', 'bin'), folder('.local', 'lib')];
    folder('.local', 'share', 'keyrings');
    folder('lib');
    assert.deepEqual(shownToolchains(cargo, bin, local), [cargo, bin, local, lib]);
  });

  it('shows neither the home, nor a folder around it, nor where secrets are kept', () => {
    const { path } = findToolchains(home, {
      PATH: ['.', '', home, '/', folder('.ssh', 'bin'), folder('.config', 'x', 'bin')].join(':'),
    });
    assert.ok(!path.split(':').some((entry) => entry === '/' || entry === '.' || isWithin(entry, home)), path);
  });

  it("hides npm's tokens in a toolchain", () => {
    const bin = folder('n', 'bin');
    folder('n', 'lib');
    writeFileSync(join(folder('n', 'etc'), 'npmrc'), 'x');
    const { blanked } = findToolchains(home, { PATH: bin });
    assert.deepEqual(
      blanked.filter((file) => isWithin(file, home)),
      [join(home, 'n', 'etc', 'npmrc')],
    );
  });

  it('shows the hook of pyenv empty that writes into its own folder behind pip', () => {
    const shims = folder('.pyenv', 'shims');
    folder('.pyenv', 'versions');
    const hook = join(folder('.pyenv', 'pyenv.d', 'exec'), 'pip-rehash.bash');
    writeFileSync(hook, 'exit 1');
    const { blanked, emptied } = findToolchains(home, { PATH: shims });
    assert.ok(emptied.includes(hook), emptied.join());
    assert.ok(!blanked.includes(hook), 'what is blank cannot be read, and pyenv reads it');
  });

  it("hides the state folder, where programs' logins lie, wherever it is", () => {
    const usual = process.env['LOOP_STATE_HOME'];
    const state = (process.env['LOOP_STATE_HOME'] = folder('state'));
    try {
      assert.ok(inspectHost({ HOME: folder('home'), PATH: '/usr/bin', TMPDIR: folder('tmp') }).hidden.includes(state));
    } finally {
      if (usual === undefined) delete process.env['LOOP_STATE_HOME'];
      else process.env['LOOP_STATE_HOME'] = usual;
    }
  });

  it('does without the home of an account for a user who has none, as in a container', () => {
    const script = bundleChild('inspect-host', home);
    const args = ['--dev-bind', '/', '/', '--unshare-user', '--uid', '4321', process.execPath, script];
    assert.equal(execFileSync('bwrap', args, { encoding: 'utf8', env: { ...process.env, HOME: home } }), home);
  });

  it('passes only listed variables, and a proxy only with a network and without a password', () => {
    const host = inspectHost({ HOME: home, PATH: '/usr/bin', SSL_CERT_FILE: '/etc/passwd' });
    const person = { HTTP_PROXY: 'http://p:3128', HTTPS_PROXY: 'http://u:x@p', SECRET: 'x', LANG: 'de_DE.UTF-8', LC_ALL: 'de_DE.UTF-8' };
    const closed = environmentOf(host, person, {
      ports: { PORT: '1' },
      seed: '5',
      programs: [],
      root: '/nowhere',
      network: false,
      extra: {},
    });
    const open = environmentOf(host, person, {
      ports: { PORT: '1' },
      seed: '5',
      programs: [],
      root: '/nowhere',
      network: true,
      extra: { A: 'b' },
    });
    assert.deepEqual([closed['HTTP_PROXY'], closed['SECRET'], closed['PORT'], closed['HOME']], [undefined, undefined, '1', '/tmp/home']);
    assert.deepEqual([closed['LANG'], closed['LC_ALL']], ['C.UTF-8', undefined]);
    assert.deepEqual(
      [open['HTTP_PROXY'], open['HTTPS_PROXY'], open['SSL_CERT_FILE'], open['A'], open['PATH']],
      ['http://p:3128', undefined, '/etc/passwd', 'b', host.toolchains.path],
    );
  });

  it('hides where other repositories, disks and data of the person lie, and shows the toolchains there', () => {
    const host = inspectHost({ HOME: home, PATH: '/usr/bin' });
    const there = ['/data', '/media', '/mnt', '/srv', '/workspaces'].filter((path) => existsSync(path) && realpathSync(path) === path);
    assert.deepEqual(
      there.filter((path) => !host.hidden.includes(path)),
      [],
    );
  });

  it("hides the person's checkout, but not the tree that lies in it", () => {
    const host = { ...inspectHost({ HOME: home, PATH: '/usr/bin' }), hidden: [], temporary: [] };
    const checkout = folder('checkout');
    const gitCommonDir = folder('checkout', '.git');
    const tree = (root: string): TreeLayout => ({ ...shared, hidden: [], root, gitCommonDir });
    const shared = { access: 'read', hidesGit: false, views: '/nowhere', network: false } as const;
    const kinds = (root: string) => layOut(host, tree(root)).flatMap(({ kind, path }) => (path === checkout ? kind : []));
    assert.deepEqual(kinds(folder('checkout', 'worktree')), ['hide']);
    assert.deepEqual(kinds(checkout), ['read']);
  });

  it('counts as absent what lies below a file, or in a folder that only another user may look into', () => {
    writeFileSync(join(home, 'file'), '');
    assert.equal(kindOf(join(home, 'file', 'socket')), undefined);
    assert.equal(kindOf(join('/proc/1/root', 'x'.repeat(300))), undefined);
  });

  it("hides remotes and headers of the repository's configuration", () => {
    const text =
      '[core]\n\tbare = false\n[remote "o"]\n\turl = https://u:t@h\n[http "h"]\n\textraheader = x\n[Extensions]\n\tworktreeConfig = true\n';
    assert.equal(shownGitConfig(text), '[core]\n\tbare = false\n[Extensions]\n\tworktreeConfig = true\n');
  });

  it('knows the sockets of the host, except abstract ones', () => {
    const row = (path: string) => `0000000000000000: 00000002 00000000 00010000 0001 01 12345${path}`;
    const table = [
      'Num       RefCount Protocol Flags    Type St Inode Path',
      row(' /a b.sock'),
      row(''),
      row(' @abstract'),
      row(' /a b.sock'),
    ];
    assert.deepEqual(listeningSockets(table.join('\n')), ['/a b.sock']);
  });

  it('uses no program from a folder that a command may write', () => {
    const file = join(folder('bin'), 'loop-program');
    writeFileSync(file, '');
    assert.equal(findProgram('loop-program', [], join(home, 'bin')), undefined, 'not executable');
    chmodSync(file, 0o755);
    assert.equal(findProgram('loop-program', [], join(home, 'bin')), file);
    assert.equal(findProgram('loop-program', [home], join(home, 'bin')), undefined);
    assert.equal(isWithin('/ab', '/a'), false);
    assert.equal(isWithin('/a/..b', '/a'), true);
  });
});
