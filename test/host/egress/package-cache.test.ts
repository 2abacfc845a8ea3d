/** The package cache of a sprint: what the worktree's install downloaded is not downloaded again, and nothing that the work runs can change it. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { downloadCommand, installCommand } from '../../../src/engine/parse/install-command.ts';
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
  const npm = { folder: '', manager: 'npm' as const, flags: [] };
  const runJob = async (command: string, job: Pick<Job, 'at' | 'packages'>): Promise<Finished> => {
    const env = { ...world.env, HTTP_PROXY: '', HTTPS_PROXY: '', http_proxy: '', https_proxy: '' };
    const options = { network: 'registries' as const, env, packages: packages() };
    const runner = throughEgress(world.remoteRunner(options), createEgress(inspectHost(env), env, []));
    const done = await runner.run({ run: { command }, timeout: 60, network: true, ...job }, new AbortController().signal);
    assert.equal(done.exit, 0, done.output);
    return done;
  };
  const download = (): Promise<Finished> => runJob(downloadCommand(npm) ?? '', { at: 'worktree', packages: 'fill' });
  const install = (at: Job['at']): Promise<Finished> => runJob(installCommand(npm), { at, packages: 'use' });
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

  it('spares worktree and scratch checkouts a second download', async () => {
    writeFileSync(join(world.tree, 'package.json'), '{"dependencies":{"left":"1.0.0"}}');
    await download();
    assert.equal(tarballs(), 1);
    await install('worktree');
    await install(checkout('left'));
    assert.equal(tarballs(), 1);
  });

  it('is never written by what the work runs, in the worktree or elsewhere', async () => {
    const hook = { preinstall: 'node hook.js', postinstall: 'node hook.js' };
    writeFileSync(join(world.tree, 'package.json'), JSON.stringify({ scripts: hook, dependencies: { left: '1.0.0', hostile: '1.0.0' } }));
    writeFileSync(join(world.tree, 'hook.js'), hostile);
    writeFileSync(join(world.tree, '.npmrc'), 'git=./evil\nignore-scripts=false\nscript-shell=./evil\n');
    writeFileSync(join(world.tree, 'evil'), '#!/bin/sh\necho evil >/tmp/packages/left-behind\n', { mode: 0o755 });
    await download();
    rmSync(join(world.tree, '.npmrc'));
    await install('worktree');
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
