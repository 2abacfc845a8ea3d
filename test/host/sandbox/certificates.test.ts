/** Certificates of a company's gateway are seen wherever they lie, and nobody is told of one that is not there. */
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { findCertificates } from '../../../src/host/sandbox/certificates.ts';
import { createEgress, throughEgress } from '../../../src/host/egress/egress.ts';
import { inspectHost } from '../../../src/host/sandbox/layout.ts';
import { World } from './world.ts';

describe('certificates in the home', () => {
  let world: World;
  let file: string;
  before(() => {
    world = new World();
    const folder = join(world.home, 'certificates');
    mkdirSync(folder);
    writeFileSync((file = join(folder, 'house.pem')), 'the certificate of the house\n');
    writeFileSync(join(folder, 'house.key'), 'the key of the house\n');
    symlinkSync(folder, join(world.home, 'link'));
    writeFileSync(join(world.home, '.npmrc'), 'cafile=~/link/house.pem\n');
  });
  after(() => world.dispose());

  const prints = async (command: string, env: NodeJS.ProcessEnv): Promise<string> => {
    const all = { ...world.env, NODE_EXTRA_CA_CERTS: undefined, npm_config_cafile: undefined, NPM_CONFIG_CAFILE: undefined, ...env };
    const runner = throughEgress(world.remoteRunner({ network: 'registries', env: all }), createEgress(inspectHost(all), all, []));
    const job = { run: { command }, at: 'worktree', timeout: 20, network: true } as const;
    const done = await runner.run(job, new AbortController().signal);
    assert.equal(done.exit, 0, done.output);
    return done.output.trim();
  };

  it('are seen where a variable names them, also through a link, and nothing beside them', async () => {
    const env = { CURL_CA_BUNDLE: join(world.home, 'link', 'house.pem') };
    assert.equal(await prints('cat "$CURL_CA_BUNDLE"; ls "$(dirname "$CURL_CA_BUNDLE")"', env), 'the certificate of the house\nhouse.pem');
  });

  it('that are gone are named to nobody: Node.js would warn of them in each program', async () => {
    assert.equal(await prints('node -p "process.env.NODE_EXTRA_CA_CERTS" 2>&1', { NODE_EXTRA_CA_CERTS: `${file}.old` }), 'undefined');
  });

  it('are npm’s, where its configuration names them', async () => {
    assert.equal(await prints('cat "$(npm config get cafile)"', {}), 'the certificate of the house');
  });

  it('may be several folders, but never one around the home', () => {
    const list = [join(world.home, 'link'), world.folder, '/etc', ''].join(':');
    assert.deepEqual(findCertificates(world.home, { SSL_CERT_DIR: list }), {
      env: { SSL_CERT_DIR: `${join(world.home, 'certificates')}:/etc` },
      shown: [join(world.home, 'certificates'), '/etc'],
    });
  });
});
