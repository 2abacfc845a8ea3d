/** Go keeps modules in the home: one install downloads them, and later commands, runs and clean checkouts build with them. */
import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { installCommand } from '../../src/engine/parse/install-command.ts';
import type { Job } from '../../src/engine/work/job.ts';
import { createEgress, throughEgress } from '../../src/host/egress/egress.ts';
import { inspectHost } from '../../src/host/sandbox/layout.ts';
import { goProxy, type Listening } from '../host/egress/registries.ts';
import { World } from '../host/sandbox/world.ts';

const install = installCommand({ folder: '', manager: 'go', flags: [] });
const work = {
  'go.mod': 'module example.com/greeter\n\ngo 1.19\n\nrequire example.com/word v1.0.0\n',
  'main.go': 'package main\n\nimport (\n\t"fmt"\n\n\t"example.com/word"\n)\n\nfunc main() { fmt.Println(word.Word()) }\n',
};
const build = 'go mod tidy && go run .';

describe('an install of go', () => {
  let world: World;
  let proxy: Listening;
  before(async () => {
    world = new World();
    proxy = await goProxy(['example.com/word']);
    for (const [name, text] of Object.entries(work)) writeFileSync(join(world.tree, name), text);
  });
  after(() => {
    proxy.close();
    world.dispose();
  });

  const run = async (what: Job['run'], more: Partial<Job> = {}): Promise<string> => {
    const none = { HTTP_PROXY: '', HTTPS_PROXY: '', http_proxy: '', https_proxy: '' };
    const env = { ...world.env, ...none, GOPROXY: `http://127.0.0.1:${proxy.port}`, GOSUMDB: 'off' };
    const options = { network: 'registries' as const, env, packages: join(world.home, '.state', 'loop', 'packages') };
    const runner = throughEgress(world.remoteRunner(options), createEgress(inspectHost(env), env, []));
    const done = await runner.run({ run: what, at: 'worktree', timeout: 120, network: true, ...more }, new AbortController().signal);
    assert.equal(done.exit, 0, done.output);
    return done.output.trim();
  };
  const downloads = (): number => proxy.asked.filter((line) => line.endsWith('.zip')).length;
  const script = { script: '#!/bin/sh\n[ "$(go run .)" = word ] || { echo "wrong word"; exit 1; }\n', ext: 'sh', name: 'area-word' };

  it('spares later commands and verifications a download, also where they reach nothing', async () => {
    await run({ command: install }, { packages: 'use' });
    assert.equal(await run({ command: build }), 'word');
    assert.equal(downloads(), 1);
    assert.equal(await run({ command: 'go run .' }, { offline: true }), 'word');
    await run(script, { view: true, offline: true });
    assert.equal(downloads(), 1);
  });

  it('gives a clean checkout what the registry has, whatever the work did to the modules of the worktree', async () => {
    await run({
      command:
        'chmod -R u+w ~/go/pkg/mod && sed -i s/\'"word"\'/\'"evil"\'/ ~/go/pkg/mod/example.com/*/word.go && [ "$(go run .)" = evil ]',
    });
    const scratch = join(world.home, 'scratch', 'project');
    mkdirSync(scratch, { recursive: true });
    for (const [name, text] of Object.entries({ ...work, 'go.sum': world.inTree('go.sum') ?? '' }))
      writeFileSync(join(scratch, name), text);
    const at = { scratch: realpathSync(scratch) };
    await run({ command: install }, { at, packages: 'use' });
    await run(script, { at, view: true });
    assert.equal(downloads(), 2);
  });
});
