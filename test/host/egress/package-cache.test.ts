/** The package cache of a sprint: what the worktree's install downloaded is not downloaded again, and no other checkout can change it. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { installCommand } from '../../../src/engine/parse/install-command.ts';
import type { Finished, Job } from '../../../src/engine/work/job.ts';
import { createEgress, throughEgress } from '../../../src/host/egress/egress.ts';
import { inspectHost } from '../../../src/host/sandbox/layout.ts';
import { World } from '../sandbox/world.ts';
import { npmRegistry, type Listening } from './registries.ts';

/** Overwrites every package in the cache, and adds one. */
const hostile = `
const { execSync } = require('node:child_process');
execSync('find /tmp/packages -type f -exec sh -c "echo evil >{}" \\\\; ; echo evil >/tmp/packages/left-behind', { stdio: 'ignore' });
`;

describe('a package cache', () => {
  let world: World;
  let registry: Listening;
  before(async () => {
    world = new World();
    registry = await npmRegistry([
      { name: 'left' },
      { name: 'hostile', manifest: { scripts: { postinstall: 'node spoil.js' } }, files: { 'spoil.js': hostile } },
    ]);
    writeFileSync(join(world.home, '.npmrc'), `registry=http://127.0.0.1:${registry.port}/\naudit=false\n`);
    mkdirSync(join(world.home, 'scratches'), { recursive: true });
  });
  after(() => {
    registry.close();
    world.dispose();
  });

  const packages = () => join(world.home, '.state', 'loop', 'packages');
  const install = async (at: Job['at']): Promise<Finished> => {
    const env = { ...world.env, HTTP_PROXY: '', HTTPS_PROXY: '', http_proxy: '', https_proxy: '' };
    const runner = throughEgress(
      world.remoteRunner({ network: 'registries', env, packages: packages() }),
      createEgress(inspectHost(env), env, []),
    );
    const run = { command: installCommand({ folder: '', manager: 'npm', flags: [] }) };
    const done = await runner.run({ run, at, timeout: 60, network: true, install: true }, new AbortController().signal);
    assert.equal(done.exit, 0, done.output);
    return done;
  };
  /** A checkout that depends on these packages. */
  const checkout = (...names: string[]): Job['at'] => {
    const scratch = realpathSync(mkdtempSync(join(world.home, 'scratches', 's-')));
    writeFileSync(
      join(scratch, 'package.json'),
      JSON.stringify({ dependencies: Object.fromEntries(names.map((name) => [name, '1.0.0'])) }),
    );
    return { scratch };
  };
  const tarballs = (): number => registry.asked.filter((line) => line.endsWith('.tgz')).length;

  it('spares a scratch checkout the second download', async () => {
    writeFileSync(join(world.tree, 'package.json'), '{"dependencies":{"left":"1.0.0"}}');
    await install('worktree');
    assert.equal(tarballs(), 1);
    await install(checkout('left'));
    assert.equal(tarballs(), 1);
  });

  it('is never written by another checkout', async () => {
    await install(checkout('left', 'hostile'));
    assert.ok(!readdirSync(packages()).includes('left-behind'));
    registry.asked.length = 0;
    await install(checkout('left'));
    assert.equal(tarballs(), 0, 'it is as good as before');
  });

  it('is seen by no other command', async () => {
    const options = { packages: packages() };
    assert.equal(await world.prints('ls -d /tmp/packages 2>/dev/null; env | grep -c packages; true', {}, options), '0');
  });
});
