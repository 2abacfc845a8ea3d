/** A registry over https that wants a login, behind a company's proxy: who it is gets told, and a named variable opens it. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttp, type Server } from 'node:http';
import { createServer as createHttps, type Server as SecureServer } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'mocha';
import { loginsIn } from '../../../src/engine/diagnose/logins.ts';
import { installCommand } from '../../../src/engine/parse/install-command.ts';
import type { Finished } from '../../../src/engine/work/job.ts';
import { createEgress, throughEgress } from '../../../src/host/egress/egress.ts';
import { inspectHost } from '../../../src/host/sandbox/layout.ts';
import { World } from '../sandbox/world.ts';
import { npmRegistry, type Listening } from './registries.ts';

const token = 'the-token-of-the-house';
/** Known to the proxy alone, so all that reaches it went through that. */
const host = 'registry.invalid';

const settings = 'cafile=${PWD}/certificate.pem\nfetch-retries=0\n';

describe('a registry over https that wants a login', () => {
  let world: World;
  let registry: Listening;
  let secure: SecureServer;
  let proxy: Server;
  let tunnels: string[];
  const portOf = (server: Server | SecureServer): number => (server.address() as AddressInfo).port;

  before(async () => {
    world = new World();
    const [key, certificate] = [join(world.home, 'key.pem'), join(world.tree, 'certificate.pem')];
    const subject = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`];
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-days',
        '2',
        '-keyout',
        key,
        '-out',
        certificate,
        ...subject,
      ],
      { stdio: 'ignore' },
    );
    registry = await npmRegistry([{ name: 'left' }], { login: `Bearer ${token}`, protocol: 'https' });
    secure = createHttps({ key: readFileSync(key), cert: readFileSync(certificate) }, registry.answer);
    proxy = createHttp((_, res) => void res.writeHead(400).end());
    proxy.on('connect', (req, socket) => {
      tunnels.push(`${req.url} ${req.headers['proxy-authorization']}`);
      const to = connect(Number(req.url?.split(':')[1]), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        to.pipe(socket).pipe(to);
      });
      for (const end of [to, socket]) end.on('error', () => (to.destroy(), socket.destroy()));
    });
    for (const server of [secure, proxy]) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    writeFileSync(
      join(world.home, '.npmrc'),
      `registry=https://${host}:${portOf(secure)}/\n//${host}:${portOf(secure)}/:_authToken=${token}\n`,
    );
    writeFileSync(join(world.tree, '.npmrc'), settings);
    writeFileSync(join(world.tree, 'package.json'), '{"dependencies":{"left":"1.0.0"}}');
  });
  after(() => {
    for (const server of [secure, proxy]) {
      server.close();
      server.closeAllConnections();
    }
    registry.close();
    world.dispose();
  });
  beforeEach(() => (tunnels = []));

  const install = (variables: Record<string, string> = {}): Promise<Finished> => {
    const https = `http://me:word@127.0.0.1:${portOf(proxy)}`;
    const env = {
      ...world.env,
      HTTP_PROXY: '',
      http_proxy: '',
      HTTPS_PROXY: https,
      https_proxy: https,
      NO_PROXY: '',
      no_proxy: '',
    };
    const runner = throughEgress(world.remoteRunner({ network: 'registries', env }, variables), createEgress(inspectHost(env), env, []));
    const command = `${installCommand({ folder: '', manager: 'npm', flags: [] })}; status=$?; env; exit $status`;
    return runner.run({ run: { command }, at: 'worktree', timeout: 120, network: true }, new AbortController().signal);
  };

  it('is told by its host where the install is refused, and the login of this machine stays outside', async () => {
    const { exit, output, traffic } = await install();
    assert.notEqual(exit, 0);
    assert.ok(tunnels.includes(`${host}:${portOf(secure)} Basic bWU6d29yZA==`), 'it went through the proxy, with the proxy’s own login');
    assert.deepEqual(loginsIn(output, traffic?.reached ?? [], traffic?.withheld ?? []), [`${host}:${portOf(secure)}`]);
    assert.deepEqual(traffic?.withheld, [`${host}:${portOf(secure)}`]);
    assert.ok(!output.includes(token) && !output.includes('me:word'));
  });

  it('is reached with a token in a variable that the person named and the repository asks for', async () => {
    writeFileSync(join(world.tree, '.npmrc'), `${settings}//${host}:${portOf(secure)}/:_authToken=\${HOUSE_TOKEN}\n`);
    const { exit, output } = await install({ HOUSE_TOKEN: token });
    assert.equal(exit, 0, output);
    assert.ok(world.inTree('node_modules/left/index.js'));
    assert.ok(!output.includes(token), 'what commands print is veiled');
  });
});
