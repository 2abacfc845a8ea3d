/** Package managers in the sandbox against registries on loopback: they reach these, and nothing else. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'mocha';
import type { Finished, Job } from '../../../src/engine/work/job.ts';
import { createEgress, throughEgress } from '../../../src/host/egress/egress.ts';
import { inspectHost } from '../../../src/host/sandbox/layout.ts';
import { processesMarked, World } from '../sandbox/world.ts';
import { listening, npmRegistry, simpleIndex, type Listening, type PackageOf } from './registries.ts';

const token = 'the-token-of-the-house';

/** Tries hosts of the world and a port of this machine, and writes down what it got. */
const curious = `
const { execFileSync } = require('node:child_process');
const net = require('node:net');
const hosts = ['one.example.com', 'two.example.com', 'github.com', '169.254.169.254', '10.0.0.1'];
const tried = hosts.map((host) => {
  try { return execFileSync('curl', ['-s', '-o', '/dev/null', '-m', '5', '-w', '%{http_connect}', 'https://' + host + '/']).toString(); }
  catch (error) { return String(error.stdout); }
});
const socket = net.connect(Number(process.env.OTHER_PORT), '127.0.0.1');
socket.on('connect', () => { console.log('connected'); process.exit(0); });
socket.on('error', (error) => {
  require('node:fs').writeFileSync(process.env.INIT_CWD + '/tried.txt', [...tried, error.code].join(' '));
});
`;

const packages: readonly PackageOf[] = [
  { name: 'left' },
  { name: 'right', version: '1.0.0' },
  { name: 'right', version: '1.1.0' },
  { name: 'curious', manifest: { scripts: { postinstall: 'node try.js' } }, files: { 'try.js': curious } },
];

describe('installs through the proxy', () => {
  let world: World;
  let registry: Listening;
  let scoped: Listening;
  let index: Listening;
  let other: Server;
  let contacts: number;
  before(async () => {
    world = new World();
    registry = await npmRegistry(packages);
    scoped = await npmRegistry([{ name: '@house/thing' }], { login: `Bearer ${token}` });
    index = await simpleIndex(['wordy']);
    other = createServer((socket: Socket) => ((contacts += 1), socket.destroy()));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    writeFileSync(
      join(world.home, '.npmrc'),
      [
        `registry=http://127.0.0.1:${registry.port}/`,
        `@house:registry=http://127.0.0.1:${scoped.port}/`,
        `//127.0.0.1:${scoped.port}/:_authToken=${token}`,
        'audit=false',
      ].join('\n'),
    );
    mkdirSync(join(world.home, '.config', 'pip'), { recursive: true });
    writeFileSync(join(world.home, '.config', 'pip', 'pip.conf'), `[global]\nindex-url = http://127.0.0.1:${index.port}/simple/\n`);
  });
  after(() => {
    for (const one of [registry, scoped, index]) one.close();
    other.close();
    world.dispose();
  });
  beforeEach(async () => {
    contacts = 0;
    registry.asked.length = 0;
    await world.prints('rm -rf ./* && git checkout -q . 2>/dev/null; echo "{}" > package.json');
  });

  const outsideProxies = { HTTP_PROXY: '', HTTPS_PROXY: '', http_proxy: '', https_proxy: '', PIP_INDEX_URL: undefined };
  const runJob = (run: Job['run'], more: Partial<Job> = {}, own: NodeJS.ProcessEnv = {}, allowed: string[] = []): Promise<Finished> => {
    const env = { ...world.env, ...outsideProxies, ...own };
    const runner = throughEgress(world.remoteRunner({ network: 'registries', env }), createEgress(inspectHost(env), env, allowed));
    return runner.run({ run, at: 'worktree', timeout: 60, network: true, ...more }, new AbortController().signal);
  };
  const run = (command: string, more: Partial<Job> = {}, env: NodeJS.ProcessEnv = {}): Promise<Finished> =>
    runJob({ command: `export OTHER_PORT=${(other.address() as AddressInfo).port}; ${command}` }, more, env);
  const succeeds = async (command: string, env: NodeJS.ProcessEnv = {}): Promise<Finished> => {
    const done = await run(command, {}, env);
    assert.equal(done.exit, 0, done.output);
    return done;
  };
  const manifest = (): { dependencies?: Record<string, string> } => JSON.parse(world.inTree('package.json') ?? '{}') as never;
  const npm = 'npm --no-audit --no-fund --loglevel=error';

  it('npm adds a package, uses it and removes it', async () => {
    const { traffic } = await succeeds(`${npm} install left && node -p "require('left')" && test -d node_modules/left`);
    assert.deepEqual(traffic?.reached, [`127.0.0.1:${registry.port}`]);
    assert.deepEqual(traffic?.refused, []);
    assert.ok(manifest().dependencies?.['left']);
    await succeeds(`${npm} uninstall left && test ! -e node_modules/left`);
    assert.deepEqual(manifest().dependencies ?? {}, {});
  });

  it('are reached where the folder for temporary files has a longer path than a socket may have', async () => {
    const [usual, long] = [process.env['TMPDIR'], join(world.folder, 'x'.repeat(120))];
    mkdirSync(long);
    process.env['TMPDIR'] = long;
    try {
      const { output, traffic } = await run(`${npm} view left version`);
      assert.match(output, /^1\.\d+\.\d+/);
      assert.deepEqual(traffic?.reached, [`127.0.0.1:${registry.port}`]);
      assert.deepEqual(readdirSync(long), []);
    } finally {
      if (usual === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = usual;
    }
  });

  it('tell which host kept silent, whoever gave up first, and not one that was only slow', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket));
    const slow = createServer((socket) => void (sockets.push(socket), setTimeout(() => socket.end('late'), 6000)));
    for (const server of [silent, slow]) await new Promise<void>((resolve) => server.unref().listen(0, '127.0.0.1', resolve));
    const [host, late] = [silent, slow].map((server) => `127.0.0.1:${(server.address() as AddressInfo).port}`);
    const [killed, gaveUp, patient] = await Promise.all([
      runJob({ command: `curl -sp -x $http_proxy http://${host}/` }, { timeout: 8 }, {}, [host ?? '']),
      runJob({ command: `curl -s -m 7 http://${host}/; sleep 1; exit 1` }, {}, {}, [host ?? '']),
      runJob(
        // Another connection ends meanwhile.
        { command: `exec 3<>/dev/tcp/127.0.0.1/${late?.split(':')[1]}; echo >&3; sleep 4.5; curl -sm 1 http://${late}/; cat <&3` },
        {},
        {},
        [late ?? ''],
      ),
    ]);
    assert.deepEqual([killed.timedOut, killed.traffic?.unreachable], [true, [host]]);
    assert.deepEqual([gaveUp.exit, gaveUp.traffic?.unreachable], [1, [host]]);
    assert.deepEqual([patient.output, patient.traffic?.unreachable], ['late', []]);
    for (const server of [silent, slow]) server.close();
    // The proxy keeps its end of each until the host closes.
    for (const socket of sockets) socket.destroy();
  });

  it('npm mends a lock file that is out of date', async () => {
    await succeeds(`${npm} install right@1.0.0 && sed -i 's/[\\^]*1\\.0\\.0/^1.1.0/' package.json && rm -rf node_modules`);
    assert.notEqual((await run(`${npm} ci`)).exit, 0);
    const { output } = await succeeds(`${npm} install && node -p "require('right/package.json').version"`);
    assert.match(output, /1\.1\.0/);
    await succeeds(`rm -rf node_modules && ${npm} ci && test -d node_modules/right`);
  });

  it('npm installs in two folders of a monorepo', async () => {
    await succeeds(
      `for d in a b; do mkdir -p $d; echo '{"dependencies":{"left":"1.0.0"}}' > $d/package.json; ${npm} --prefix $d install; test -d $d/node_modules/left || exit 1; done`,
    );
  });

  it("a scoped package comes from its own registry, with the person's token, which commands never see", async () => {
    const { output } = await succeeds(
      `${npm} install @house/thing; cat ~/.npmrc; env; grep -r ${token.slice(0, 12)} /run /tmp /proc/self/environ; cat /proc/*/environ; true`,
    );
    assert.ok(world.inTree('node_modules/@house/thing/index.js'));
    assert.ok(scoped.asked.some((line) => line.endsWith(`Bearer ${token}`)));
    assert.ok(!output.includes(token), output);
    assert.match(output, /@house:registry=/);
  });

  it('nobody publishes with the token of the person', async () => {
    scoped.asked.length = 0;
    await run(`curl -s -X PUT -d '{}' http://127.0.0.1:${scoped.port}/@house%2fthing`);
    assert.deepEqual(scoped.asked, ['PUT /@house%2fthing']);
  });

  it('an install script reaches no other host, and no other port of this machine', async () => {
    const { traffic } = await succeeds(`${npm} install curious --foreground-scripts`);
    assert.equal(world.inTree('tried.txt'), '403 403 403 403 403 ECONNREFUSED');
    assert.deepEqual(traffic?.refused, ['one.example.com', 'two.example.com', 'github.com', '169.254.169.254', '10.0.0.1']);
    assert.deepEqual(traffic?.reached, [`127.0.0.1:${registry.port}`]);
    assert.equal(contacts, 0);
  });

  it('pip installs from the simple index', async () => {
    const { traffic } = await succeeds(
      `"$(python3 -c 'import sys; print(sys.executable)')" -m pip install --disable-pip-version-check -q --target lib wordy && PYTHONPATH=lib python3 -c 'import wordy; print(wordy.word())'`,
    );
    assert.deepEqual(traffic?.reached, [`127.0.0.1:${index.port}`]);
  });

  for (const network of ['none', 'installs'] as const)
    it(`with "${network}" a command reaches no registry`, async () => {
      const done = await world.run(`${npm} install left --fetch-retries=0`, {}, { network });
      assert.notEqual(done.exit, 0);
      assert.equal(done.traffic, undefined);
      assert.deepEqual(registry.asked, []);
    });

  it('an offline job reaches no registry', async () => {
    assert.notEqual((await run(`${npm} install left --fetch-retries=0`, { offline: true })).exit, 0);
    assert.deepEqual(registry.asked, []);
  });

  it("what the repository's own configuration says opens nothing", async () => {
    const port = (other.address() as AddressInfo).port;
    await succeeds(`echo 'registry=http://127.0.0.1:${port}/' > .npmrc`);
    const { exit } = await run(`${npm} install left --fetch-retries=0`);
    assert.notEqual(exit, 0);
    assert.equal(contacts, 0);
  });

  it('a host that the person named is reached', async () => {
    const service = await listening((_, res) => res.end('hello'));
    try {
      const { output } = await runJob({ command: `curl -s http://localhost:${service.port}/` }, {}, {}, [`localhost:${service.port}`]);
      assert.equal(output, 'hello');
      assert.notEqual((await run(`curl -s http://localhost:${service.port}/`)).exit, 0);
    } finally {
      service.close();
    }
  });

  it('hosts outside are reached through the proxy of this machine', async () => {
    const proxy = await listening((req, res) => res.end(`${req.headers['proxy-authorization']} ${req.url}`));
    try {
      const env = { http_proxy: `http://me:word@127.0.0.1:${proxy.port}` };
      writeFileSync(join(world.home, '.config', 'pip', 'pip.conf'), `[global]\nindex-url = http://pypi.invalid/simple/\n`);
      const { output, traffic } = await succeeds('curl -s http://pypi.invalid/simple/x/; curl -s http://other.invalid/', env);
      assert.match(output, /^Basic bWU6d29yZA== http:\/\/pypi\.invalid\/simple\/x\//);
      assert.deepEqual(traffic?.refused, ['other.invalid']);
      assert.equal(proxy.asked.length, 1);
    } finally {
      writeFileSync(join(world.home, '.config', 'pip', 'pip.conf'), `[global]\nindex-url = http://127.0.0.1:${index.port}/simple/\n`);
      proxy.close();
    }
  });

  it('services and verifications reach the registries as commands do', async () => {
    const service = {
      name: 'one',
      limit: 20,
      start: { command: `curl -sf http://127.0.0.1:${registry.port}/left > /tmp/seen && sleep 60` },
      ready: { command: 'test -s /tmp/seen' },
    };
    const script = {
      script: `#!/bin/sh\ncurl -sf http://127.0.0.1:${registry.port}/left >/dev/null && test -s /tmp/seen\n`,
      ext: 'sh',
      name: 'v',
    };
    const done = await runJob(script, { services: [service] });
    assert.equal(done.exit, 0, JSON.stringify(done));
  });

  it('a relay is gone with its sandbox', async () => {
    await succeeds('sleep 0.1');
    // Others may run relays meanwhile: this one has the port of this registry.
    assert.deepEqual(processesMarked(`/run/program/egress/${registry.port}`), []);
  });
});
