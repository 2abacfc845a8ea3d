/** The machine answers what a command in the sandbox would find. Sandbox, ports and disk are real. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Machine } from '../../src/engine/ports.ts';
import type { MachineAnswer, Need } from '../../src/engine/work/needs.ts';
import { createMachine, type MachineOptions } from '../../src/host/machine.ts';
import { createRunner } from '../../src/host/sandbox/runner.ts';
import { createVariables } from '../../src/host/variables.ts';
import { World } from './sandbox/world.ts';

const { signal } = new AbortController();

describe('the machine', () => {
  let world: World;
  let server: ReturnType<typeof createServer>;
  let port: number;
  before(async () => {
    world = new World();
    const tools = join(world.home, 'tools', 'bin');
    mkdirSync(tools, { recursive: true });
    mkdirSync(join(world.home, '.ssh', 'bin'));
    const program = (path: string, script: string): void => {
      writeFileSync(path, `#!/bin/sh\n${script}\n`);
      chmodSync(path, 0o755);
    };
    program(join(tools, 'by-flag'), 'echo "7-flags of 2024-01-01, release 3.12.4"');
    program(join(tools, 'by-command'), '[ "$1" = version ] && echo v21 || exit 2');
    program(join(tools, 'mute'), 'exit 3');
    program(join(tools, 'slow'), '[ "$1" = --version ] || { echo 9.9; exit; }; cat; sleep 60');
    program(join(world.home, '.ssh', 'bin', 'hidden'), 'echo 1.0');
    world.env['PATH'] = `${tools}:${join(world.home, '.ssh', 'bin')}:${process.env['PATH']}`;
    server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    ({ port } = server.address() as AddressInfo);
  });
  after(() => {
    server.close();
    world.dispose();
  });

  const machine = (over: Partial<MachineOptions> = {}): Machine =>
    createMachine({
      worktree: world.tree,
      network: 'all',
      variables: createVariables(['THE_KEY'], world.env),
      runner: createRunner(world.options()),
      ...over,
    });
  const ask = (needs: Need[], over?: Partial<MachineOptions>): Promise<MachineAnswer[]> => machine(over).look(needs, signal);

  it('finds the tools that commands find, with their versions', async () => {
    const version = (name: string): Need => ({ kind: 'tool', name, version: '1' });
    const needs = [
      version('by-flag'),
      version('by-command'),
      version('mute'),
      version('hidden'),
      version('absent'),
      { kind: 'tool' as const, name: 'by-flag' },
    ];
    const answers = await ask(needs.slice(0, 5));
    assert.deepEqual(
      answers.map((a) => a.kind === 'tool' && a.version),
      ['3.12.4', '21', '', null, null],
    );
    assert.deepEqual(await ask(needs.slice(5)), [{ kind: 'tool', version: '' }]);
  });

  it('does not wait for a tool that does not answer, and asks it once', async () => {
    assert.deepEqual(await ask([{ kind: 'tool', name: 'slow', version: '1' }]), [{ kind: 'tool', version: '' }]);
  });

  it('knows whether something listens on a port, and whether commands reach it', async () => {
    const need: Need = { kind: 'port', port, state: 'listening' };
    assert.deepEqual(await ask([need, { ...need, port: 1 }]), [
      { kind: 'port', listening: true, reachable: true },
      { kind: 'port', listening: false, reachable: true },
    ]);
    assert.deepEqual(await ask([need], { network: 'installs' }), [{ kind: 'port', listening: true, reachable: false }]);
    const named = { network: 'registries' as const, allowedHosts: [`localhost:${port}`] };
    assert.deepEqual(await ask([need, { ...need, port: 1 }], named), [
      { kind: 'port', listening: true, reachable: true },
      { kind: 'port', listening: false, reachable: false },
    ]);
    const probe = `exec 3<>/dev/tcp/127.0.0.1/${port}`;
    const reached = await world.run(probe, { network: true }, { network: 'all' });
    const unreached = await world.run(probe, { network: true }, { network: 'none' });
    assert.deepEqual([reached.exit === 0, unreached.exit === 0], [true, false], 'commands find what the machine answers');
  });

  it('finds files of the worktree, room on its disk, and the variables that commands get', async () => {
    const [readme, none, disk, key, other] = await ask([
      { kind: 'file', path: 'README.md' },
      { kind: 'file', path: 'data/none.csv' },
      { kind: 'disk', megabytes: 1 },
      { kind: 'variable', name: 'THE_KEY' },
      { kind: 'variable', name: 'PATH' },
    ]);
    assert.deepEqual(await ask([{ kind: 'file', path: '../tree/README.md' }]), [{ kind: 'file', there: false }]);
    assert.deepEqual(
      [readme, none],
      [
        { kind: 'file', there: true },
        { kind: 'file', there: false },
      ],
    );
    assert.ok(disk?.kind === 'disk' && disk.megabytes > 0 && Number.isInteger(disk.megabytes));
    assert.deepEqual(
      [key, other],
      [
        { kind: 'variable', is: 'given' },
        { kind: 'variable', is: 'not named' },
      ],
    );
  });

  it('gives commands only the variables that the person named, and redacts their values in the output', async () => {
    const env = { ...world.env, THE_KEY: 'k9-Zq81/xT+ab', OTHER_KEY: 'o9-Zq81/xT+ab' };
    const variables = createVariables(['THE_KEY', 'PATH'], env);
    const command = '[ "$THE_KEY" = "k9-Zq81""/xT+ab" ] && echo "key $THE_KEY other ${OTHER_KEY:-none}"; command -v by-flag';
    const output = await world.prints(command, {}, { env, variables });
    assert.equal(output, `key [redacted] other none\n${join(world.home, 'tools', 'bin', 'by-flag')}`);
  });
});
