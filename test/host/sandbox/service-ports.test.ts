/** Services on the ports of this machine: they take turns, and a port may be held by a stranger or by a sandbox of a dead engine. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { after, before, describe, it } from 'mocha';
import type { Finished, Job } from '../../../src/engine/work/job.ts';
import type { Service } from '../../../src/engine/work/service.ts';
import { holderOf, remember } from '../../../src/host/sandbox/port-holder.ts';
import { createRunner } from '../../../src/host/sandbox/runner.ts';
import type { RunnerOptions } from '../../../src/host/sandbox/options.ts';
import { freePort } from '../../support/port.ts';
import { World } from './world.ts';

const running = (command: string, more: Partial<Service> = {}): Service => ({
  name: 'api',
  start: { command },
  ready: { http: 'http://127.0.0.1:$PORT/health' },
  limit: 5,
  ...more,
});

describe('services on the ports of this machine', () => {
  let world: World;
  before(() => void (world = new World()));
  after(() => world.dispose());

  const run = (command: string, services: Service[], more: Partial<Job> = {}, options: Partial<RunnerOptions> = {}): Promise<Finished> =>
    world.run(command, { services, ...more }, options);

  it('are not ready where the port accepts a connection and hangs up at once', async () => {
    const server = createServer((socket) => void (holds ? socket.resume() : socket.destroy()));
    let holds = false;
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    });
    const start = () =>
      run(
        'echo ran',
        [running('', { start: { compose: 'api', file: 'compose.yaml' }, ready: { tcp: port } })],
        { network: true },
        { network: 'all' },
      );
    assert.deepEqual((await start()).dead, { name: 'api', how: 'refused', exit: null });
    holds = true;
    const up = await start();
    assert.deepEqual([up.dead, up.output], [undefined, 'ran\n']);
    server.close();
  });

  it('cannot be confused with a process that answered before they were started', async () => {
    const stranger = await listening();
    try {
      const { port } = stranger.address() as AddressInfo;
      const mine = running('sleep 30', { ready: { tcp: port }, limit: 2 });
      const apart = await run('echo ran', [mine]);
      assert.equal(apart.dead?.how, 'not-ready', 'nothing answers in a network of its own');
      const shared = await run('echo ran', [mine], { network: true }, { network: 'all' });
      assert.deepEqual([shared.dead?.how, shared.output], ['taken', '']);
      assert.match(shared.dead?.holder ?? '', new RegExp(`^process ${process.pid} \\(`), 'the holder is named');
      assert.ok(stranger.listening, 'the holder is left alone');
    } finally {
      stranger.close();
    }
  });

  it('take turns where they share the ports of this machine, and each verification reaches its own', async () => {
    const port = await freePort();
    writeFileSync(
      join(world.tree, 'echo.js'),
      `require('net').createServer((s) => s.end(require('fs').existsSync('/tmp/token') ? require('fs').readFileSync('/tmp/token') : '')).listen(${port}, '127.0.0.1');`,
    );
    const mine = running('exec node echo.js', { ready: { tcp: port } });
    const script = `cat /proc/sys/kernel/random/uuid >/tmp/token; sleep 0.3; test "$(cat </dev/tcp/127.0.0.1/${port})" = "$(cat /tmp/token)" && echo mine`;
    const start = () => run(script, [mine], { network: true }, { network: 'all' });
    const all = await Promise.all([start(), start(), start()]);
    for (const { output, dead } of all) assert.deepEqual([output, dead], ['mine\n', undefined]);
  });

  /** A sandbox that listens. `belongsTo` records which engine owns it; `gone` is the process id of an engine that is dead. */
  async function sandboxOnPort() {
    const records = join(world.folder, 'records');
    const port = await freePort();
    const listen = `require('net').createServer((s) => s.end()).listen(${port}, '127.0.0.1')`;
    const view = ['--die-with-parent', '--unshare-pid', '--dev-bind', '/', '/', '--proc', '/proc'];
    const old = spawn('bwrap', [...view, process.execPath, '-e', listen], { stdio: 'ignore' });
    while (holderOf(port) === undefined) await delay(20);
    const dead = spawn('true');
    await new Promise((resolve) => dead.once('close', resolve));
    const belongsTo = (owner: number | undefined): void => void remember(records, old.pid, owner);
    const mine = running(`exec node -e "${listen}"`, { ready: { tcp: port } });
    const ended = new Promise((resolve) => old.once('close', resolve));
    return { records, old, mine, ended, belongsTo, gone: dead.pid };
  }

  it('end a sandbox that a dead engine left on their port, but not one of a live engine', async () => {
    const { records, old, mine, ended, belongsTo, gone } = await sandboxOnPort();
    const start = () => run('echo ran', [mine], { network: true }, { network: 'all', records });
    try {
      belongsTo(process.pid);
      const lives = await start();
      assert.match(lives.dead?.holder ?? '', /^process \d+ \(/, 'the engine that owns it is alive');
      belongsTo(gone);
      const done = await start();
      assert.deepEqual([done.dead, done.output], [undefined, 'ran\n']);
      await ended;
      assert.deepEqual(readdirSync(records), []);
    } finally {
      old.kill('SIGKILL');
    }
  });

  it('end it also for a run with an open standard input, which then fails with the reason and is not started again', async () => {
    const { records, old, mine, ended, belongsTo, gone } = await sandboxOnPort();
    belongsTo(gone);
    const runner = createRunner(world.options({ network: 'all', records }));
    const job: Job = { run: { command: 'cat' }, at: 'worktree', timeout: 20, network: true, services: [mine] };
    let begun = 0;
    const start = () => runner.run(job, new AbortController().signal, ({ stdin }) => ((begun += 1), stdin.end()));
    try {
      const done = await start();
      assert.equal(begun, 1);
      assert.match(done.dead?.holder ?? '', /^process \d+ \(.*\), which Loop left behind and has ended now: open it again$/);
      await ended;
      assert.deepEqual([(await start()).dead, begun], [undefined, 2]);
    } finally {
      old.kill('SIGKILL');
    }
  });
});

function listening(): Promise<Server> {
  return new Promise((resolve) => {
    const stranger = createServer((socket) => socket.end());
    stranger.listen(0, '127.0.0.1', () => resolve(stranger));
  });
}
