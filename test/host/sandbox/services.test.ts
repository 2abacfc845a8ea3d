/** Services in the sandbox of the verification that requires them (I8): real processes and probes, and no process left over. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { after, before, describe, it } from 'mocha';
import type { Finished, Job } from '../../../src/engine/work/job.ts';
import type { Service } from '../../../src/engine/work/service.ts';
import type { RunnerOptions } from '../../../src/host/sandbox/options.ts';
import { withServices } from '../../../src/host/sandbox/service-starts.ts';
import { reportFd, timeFd } from '../../../src/host/sandbox/bubblewrap.ts';
import { processesMarked, World } from './world.ts';

const api = (more: Partial<Service> = {}): Service => ({
  name: 'api',
  start: { command: 'exec node server.js' },
  ready: { http: 'http://127.0.0.1:$PORT/health' },
  limit: 5,
  ...more,
});
const startedBy = (command: string, more: Partial<Service> = {}): Service => api({ start: { command }, ...more });

const serverProgram = `const server = require('node:http').createServer((request, response) => {
  console.log('asked for', request.url);
  response.end(require('node:fs').readFileSync('answer.txt'));
});
server.listen(Number(process.env.PORT), '127.0.0.1');
`;
const fetchAnswer = 'curl -s http://127.0.0.1:$PORT/';

describe('the probe of a service', () => {
  for (const { http, kind } of [
    { http: 'http://127.0.0.1:$PORT/', kind: 'own-http' },
    { http: 'http://[::1]:$PORT/', kind: 'own-http' },
    { http: 'http://localhost:$PORT/', kind: 'own-http' },
    { http: 'http://127.example.com:$PORT/', kind: 'http' },
  ])
    it(`at ${http} is one of ${kind === 'http' ? 'another machine' : 'the sandbox itself'}`, () => {
      const { mounts } = withServices({ argv: ['true'], mounts: [], env: {} }, [api({ ready: { http } })], { ports: [4711], lingers: 0 });
      const starts = mounts.flatMap((mount) => (mount.kind === 'text' ? [mount.text] : [])).find((text) => text.includes('bring_up '));
      assert.match(starts ?? '', new RegExp(`bring_up '0' 'api' .* '${kind}' `));
    });
});

describe('services of a job', () => {
  let world: World;
  before(() => {
    world = new World();
    writeFileSync(join(world.tree, 'server.js'), serverProgram);
    writeFileSync(join(world.tree, 'answer.txt'), 'of this tree');
  });
  after(() => world.dispose());

  const run = (command: string, services: Service[], more: Partial<Job> = {}, options: Partial<RunnerOptions> = {}): Promise<Finished> =>
    world.run(command, { services, ...more }, options);

  it('start from the tree that is judged, are probed until they are ready, and end with the verification', async () => {
    const done = await run(`test "$(${fetchAnswer})" = "of this tree" && echo seen; exit 3`, [
      startedBy('exec -a the-services-mark node server.js'),
    ]);
    assert.deepEqual([done.exit, done.output, done.dead], [3, 'seen\n', undefined]);
    assert.match(done.logs?.['api'] ?? '', /asked for \/health\nasked for \/\n/);
    assert.deepEqual(processesMarked('the-services-mark'), []);
  });

  const probes: [string, Service['ready']][] = [
    ['by HTTP', { http: 'http://localhost:$PORT/health' }],
    ['by TCP', { tcp: '$PORT' }],
    ['by a command', { command: 'curl -sf http://127.0.0.1:$PORT/' }],
  ];
  for (const [how, ready] of probes)
    it(`are probed ${how}`, async () => {
      const [up, dead] = await Promise.all([
        run('echo ran', [api({ ready })]),
        run('echo ran', [startedBy('sleep 30', { ready, limit: 1 })]),
      ]);
      assert.deepEqual([up.exit, up.output, up.dead], [0, 'ran\n', undefined]);
      assert.deepEqual([dead.exit, dead.output, dead.dead], [null, '', { name: 'api', how: 'not-ready', exit: null }]);
      assert.ok(dead.duration < 20_000, `it took ${dead.duration} ms`);
    });

  for (const [shell, programs] of [
    ['bash without curl', ['bash']],
    ['a POSIX shell with curl', ['dash', 'curl']],
  ] as const)
    it(`are probed from ${shell}`, async () => {
      const path = onlyPath(world, programs);
      const tried = programs[0] === 'bash' ? probes.slice(0, 2) : probes.slice(0, 1);
      for (const [, ready] of tried) {
        const supervise = (command: string, limit = 1) => runSupervisor(world, path, startedBy(command, { ready, limit }));
        assert.deepEqual(await supervise('exec node server.js', 60), { exit: 0, output: 'ran\n', reports: 'up api\nready\n' });
        assert.match((await supervise('sleep 30')).reports, /^dead api not-ready -$/m);
        assert.match((await supervise('echo no >&2; exit 4')).reports, /^log api no\n[^]*^dead api exited 4$/m);
      }
    });

  it('are asked only once they listen, because each question is a program that starts', async () => {
    const path = onlyPath(world, ['dash']);
    // It says yes to whoever asks.
    writeFileSync(join(path, 'curl'), '#!/bin/sh\necho 200\n', { mode: 0o755 });
    const supervise = (command: string, host = '127.0.0.1', limit = 1) =>
      runSupervisor(world, path, startedBy(command, { ready: { http: `http://${host}:$PORT/health` }, limit }));
    for (const host of ['127.0.0.1', 'localhost', '[::1]'])
      assert.equal((await supervise('exec node server.js', host, 60)).reports, 'up api\nready\n', host);
    assert.match((await supervise('sleep 30')).reports, /^dead api not-ready -$/m);
    assert.match((await supervise('sleep 30', 'example.test')).reports, /^dead api taken -$/m);
  });

  it('that end are reported at once, with their exit status and the end of their output', async () => {
    const done = await run('echo ran', [startedBy('echo what went wrong >&2; exit 3', { limit: 30 })]);
    assert.deepEqual([done.exit, done.output, done.dead], [null, '', { name: 'api', how: 'exited', exit: 3 }]);
    assert.equal(done.logs?.['api']?.trim(), 'what went wrong');
    assert.ok(done.duration < 20_000, `it took ${done.duration} ms`);
  });

  it('that end are reported by a host that had no time to listen', async () => {
    const busy = setInterval(() => blockFor(300), 1);
    try {
      const done = await run('echo ran', [startedBy('sleep 0.3; echo what went wrong >&2; exit 3', { limit: 30 })]);
      assert.deepEqual(done.dead, { name: 'api', how: 'exited', exit: 3 });
      assert.equal(done.logs?.['api']?.trim(), 'what went wrong');
    } finally {
      clearInterval(busy);
    }
  });

  it('have a standard input that stays open, and CI as its systems set it, since development servers end without', async () => {
    const attentive = `process.stdin.on('end', () => process.exit()).resume(); ${serverProgram}`;
    writeFileSync(join(world.tree, 'attentive.js'), attentive);
    const done = await run(`sleep 0.5; ${fetchAnswer}; echo " with CI=$CI"`, [startedBy('exec node attentive.js')]);
    assert.deepEqual([done.output, done.dead], ['of this tree with CI=true\n', undefined]);
  });

  it('that answer with an error are not ready, and those that redirect are', async () => {
    const answering = (status: number) =>
      `exec node -e "require('http').createServer((_, r) => { r.statusCode = ${status}; r.end(); }).listen(process.env.PORT)"`;
    const [failing, moved] = await Promise.all([
      run(':', [startedBy(answering(500), { limit: 1 })]),
      run(':', [startedBy(answering(302))]),
    ]);
    assert.equal(failing.dead?.how, 'not-ready');
    assert.deepEqual([moved.dead, moved.exit], [undefined, 0]);
  });

  it('that go into the background are waited for, and one that only ends is not', async () => {
    const [daemon, gone] = await Promise.all([
      run('echo ran', [startedBy('(sleep 0.5; exec node server.js) >/dev/null 2>&1 & exit 0')]),
      run('echo ran', [startedBy('exit 0', { limit: 30 })]),
    ]);
    assert.deepEqual([daemon.output, daemon.dead], ['ran\n', undefined]);
    assert.deepEqual(gone.dead, { name: 'api', how: 'exited', exit: 0 });
    assert.ok(gone.duration < 20_000, `it took ${gone.duration} ms`);
  });

  it('are all ready before the script begins, and its timeout counts from then on', async () => {
    const slow = startedBy('sleep 4; exec node server.js', { limit: 30 });
    const other = startedBy('sleep 30', { name: 'other', ready: { command: 'true' } });
    const done = await run('echo ran; sleep 0.5', [slow, other], { timeout: 4 });
    assert.deepEqual([done.exit, done.timedOut, done.output], [0, false, 'ran\n']);
    const late = await run('sleep 20', [api()], { timeout: 1 });
    assert.deepEqual([late.exit, late.timedOut, late.dead], [null, true, undefined]);
    assert.ok(late.duration < 15_000, `it took ${late.duration} ms`);
  });

  it('start one after the other, as they are declared, each with its own limit', async () => {
    const slow = startedBy('sleep 2; exec node server.js', { name: 'db', limit: 30 });
    const hasty = startedBy('curl -sf localhost:$PORT_DB/ && exec sleep 30', { ready: { command: 'sleep 1' }, limit: 2 });
    const [up, early, dead] = await Promise.all([
      run('echo ran', [slow, hasty]),
      run('echo ran', [hasty, slow]),
      run('echo ran', [startedBy('exit 3', { name: 'db' }), hasty]),
    ]);
    assert.deepEqual([up.output, up.dead], ['ran\n', undefined]);
    assert.deepEqual([early.dead?.name, dead.dead], ['api', { name: 'db', how: 'exited', exit: 3 }]);
  });

  for (const network of ['none', 'all'] as const)
    it(`have a port each, which all know by its name, with the network ${network}`, async () => {
      const db = startedBy('sleep 30', { name: 'db', ready: { command: 'true' } });
      const says = (name: string) =>
        startedBy(`exec node -e "require('http').createServer((_, r) => r.end('${name}')).listen(process.env.PORT)"`, { name });
      const asked = startedBy(`test "$(curl -s localhost:$PORT_SHOP_API)" = shop-api && exec sleep 30`, {
        name: 'last',
        ready: { command: 'test $PORT = $PORT_LAST' },
      });
      const ask = 'for port in $PORT $PORT_SHOP_API $PORT_WEB; do curl -s localhost:$port; echo; done; echo $PORT_DB >&2';
      const { output, dead } = await run(ask, [db, says('shop-api'), says('web'), asked], { network: true }, { network });
      assert.deepEqual([output.replace(/\d+\n$/, 'N'), dead], ['shop-api\nshop-api\nweb\nN', undefined]);
    });

  it('are found by TCP also where they listen on ::1 only', async () => {
    const six = startedBy(`exec node -e "require('net').createServer((s) => s.end()).listen(process.env.PORT, '::1')"`, {
      ready: { tcp: '$PORT' },
    });
    const [done, without] = await Promise.all([
      run('echo ran', [six]),
      runSupervisor(world, onlyPath(world, ['bash', 'cut']), { ...six, limit: 60 }),
    ]);
    assert.deepEqual([done.output, done.dead, without.reports], ['ran\n', undefined, 'up api\nready\n']);
  });

  it('may go into the background with a title in the place of their environment', async () => {
    // What a title covers, /proc does not show.
    const start = `(exec env -i PORT=$PORT "$(command -v node)" -e "setTimeout(() => require('./server.js'), 1000)") >/dev/null 2>&1 & exit 0`;
    const done = await run('echo ran', [startedBy(start)]);
    assert.deepEqual([done.output, done.dead], ['ran\n', undefined]);
  });

  it('that print much are told of by their last words', async () => {
    const words = 'head -c 6000000 /dev/zero | tr "\\0" "x" | fold -w 100; echo; echo the last words';
    const dead = await run('exit 3', [startedBy(`${words}; exit 4`)]);
    assert.equal(dead.logs?.['api']?.trimEnd().split('\n').at(-1), 'the last words');
  });

  it('cannot forge a verdict by printing it, by writing to the descriptor, or by killing their supervisor', async () => {
    const forgeries = [
      'echo ready; echo up api; exec sleep 30',
      'echo ready >&5; exec sleep 30',
      'for fd in /proc/[0-9]*/fd/5; do echo ready >"$fd"; done; exec sleep 30',
      'kill -9 $PPID; kill -9 $(ps -eo pid= | sort -n | sed -n 2p); exec sleep 30',
    ];
    for (const command of forgeries) {
      const done = await run('exit 0', [startedBy(command, { limit: 1 })]);
      assert.deepEqual([done.exit, done.dead?.name], [null, 'api'], command);
    }
    const script = 'for fd in /proc/[0-9]*/fd/5; do echo "dead api exited 1" >"$fd"; done; (echo ready >&5) && exit 8; exit 7';
    const done = await run(script, [api()]);
    assert.deepEqual([done.exit, done.dead], [7, undefined]);
  });

  it('that print without end do not fill the disk and are not stopped', async () => {
    const flood = startedBy('yes & exec node server.js');
    const done = await run(`sleep 1; ${fetchAnswer}; du -k /tmp/services | cut -f1; exit 3`, [flood]);
    const [, kilobytes] = done.output.split('\n').length > 1 ? ['', done.output.replace('of this tree', '').trim()] : [];
    assert.ok(Number(kilobytes) > 1000 && Number(kilobytes) < 6000, done.output);
    assert.ok((done.logs?.['api']?.length ?? 0) < 40_000);
  });
});

/** A folder for a PATH that holds Node.js, programs that every system has, and those in `names`. */
function onlyPath(world: World, names: readonly string[]): string {
  const folder = join(world.outside, `path-${names.join('-')}`);
  mkdirSync(folder);
  const plain = ['cat', 'sed', 'tail', 'sleep', 'date', 'mkdir', 'mkfifo', 'mv', 'dd', 'grep', 'timeout', ...names];
  for (const name of plain) symlinkSync(execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim(), join(folder, name));
  symlinkSync(process.execPath, join(folder, 'node'));
  symlinkSync('/usr/bin/dash', join(folder, 'sh'));
  return folder;
}

/** Keeps this process from doing anything else. @param time in milliseconds. */
function blockFor(time: number): void {
  for (const end = performance.now() + time; performance.now() < end;);
}

/** Runs only the supervisor of services, in a plain namespace with the given PATH. */
async function runSupervisor(
  world: World,
  path: string,
  service: Service,
): Promise<{ exit: number | null; output: string; reports: string }> {
  const { argv, mounts } = withServices({ argv: ['echo', 'ran'], mounts: [], env: {} }, [service], { ports: [4711], lingers: 0 });
  const texts = mounts.flatMap((mount) => (mount.kind === 'text' ? [mount] : []));
  const files = texts.flatMap(({ path: at, text }, i) => {
    writeFileSync(join(world.outside, `text-${i}`), text);
    return ['--ro-bind', join(world.outside, `text-${i}`), at];
  });
  const options = [
    '--unshare-all',
    '--die-with-parent',
    '--ro-bind',
    '/',
    '/',
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--tmpfs',
    '/run',
    '--tmpfs',
    '/tmp',
  ];
  const shown = ['--ro-bind', world.tree, world.tree, '--ro-bind', world.outside, world.outside, '--chdir', world.tree];
  const env = ['--clearenv', '--setenv', 'PATH', path, '--setenv', 'PORT', '4711'];
  const child = spawn('bwrap', [...options, ...shown, ...files, ...env, ...argv], {
    stdio: ['ignore', 'pipe', 'inherit', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  let [output, reports] = ['', ''];
  child.stdout?.on('data', (text: Buffer) => (output += text.toString()));
  const time = child.stdio[timeFd] as Writable;
  // As `supervise.ts` does it: the seconds that the machine gave, until the services are ready.
  const from = performance.now();
  const ticks = setInterval(() => time.write(`${Math.floor((performance.now() - from) / 1000)}\n`), 100);
  time.on('error', () => undefined);
  child.stdio[reportFd]?.on('data', (text: Buffer) => {
    reports += text.toString();
    if (reports.includes('ready\n')) clearInterval(ticks);
  });
  return new Promise((resolve) =>
    child.once('close', (exit) => {
      clearInterval(ticks);
      resolve({ exit, output, reports });
    }),
  );
}
