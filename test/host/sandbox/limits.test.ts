/** How much of the machine a run may use, in the real sandbox. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { after, before, describe, it } from 'mocha';
import { promptText } from '../../../src/engine/ground/prompts.ts';
import { bubblewrapOptions } from '../../../src/host/sandbox/bubblewrap.ts';
import { defaultLimits, describeExcess, limited, memoryOf } from '../../../src/host/sandbox/limits.ts';
import { processesMarked, World } from './world.ts';

const MiB = 1024 * 1024;

describe('limits', () => {
  let world: World;
  before(() => (world = new World()));
  after(() => world.dispose());

  it('follow the size of the machine', () => {
    const limits = defaultLimits(8 * 1024 * MiB);
    assert.equal(limits.memory, 6 * 1024 * MiB);
    assert.equal(limits.temporary, 2 * 1024 * MiB);
    assert.equal(limits.kept, 16 * MiB);
    assert.match(describeExcess('processes', limits), /more than 1024 processes/);
  });

  it('follow the size of a container, where it has less than the machine', () => {
    const machine = 8 * 1024 * MiB;
    const memory = [2 * 1024 * MiB, 0, 2 ** 64].map((container) => defaultLimits(memoryOf(machine, container)).memory / MiB);
    assert.deepEqual(memory, [1536, 6144, 6144]);
  });

  it('are what whoever writes verifications is told', () =>
    assert.ok(promptText('verification-run').includes(`a file has ${defaultLimits().file / (1024 * MiB)} GB at most`)));

  it('of open files and of modes are those of a usual shell, whatever those of Loop are', async () => {
    const own = process.umask(0o077);
    try {
      assert.equal(await world.prints('ulimit -S -n; touch /tmp/new; stat -c %a /tmp/new'), '1024\n644');
      assert.equal(await world.prints('ulimit -S -n "$(ulimit -H -n)" && echo raised'), 'raised');
    } finally {
      process.umask(own);
    }
  });

  it('kill a flood of output', async () => {
    const done = await world.run('yes', {}, { limits: { written: 64 * MiB } });
    assert.equal(done.exit, null);
    assert.equal(done.timedOut, false);
    assert.match(done.output, /\[loop: killed, because it wrote more than/);
    assert.ok(done.dropped > 47 * MiB);
  });

  it('keep head and tail of 1 GB of output, and let the command go on', async () => {
    const done = await world.run('echo first; yes $(head -c 999 /dev/zero | tr "\\0" x) | head -c 1000000000; echo last; exit 5');
    assert.equal(done.exit, 5);
    assert.ok(done.output.startsWith('first\nxxx') && done.output.endsWith('x\nlast\n'));
    assert.ok(done.output.length <= 16 * MiB + 100);
    const [line = ''] = /\n\[loop: \d+ bytes left out\]\n/.exec(done.output) ?? [];
    assert.equal(done.output.length - line.length + done.dropped, 1_000_000_011);
  });

  it('stop a fork bomb', async () => {
    const mark = `loop-bomb-${process.pid}`;
    // One that doubles takes all processes of the machine where other tests keep the limit from being looked at for some seconds.
    const command = `while :; do bash -c 'sleep 60; : ${mark}' & sleep 0.01; done`;
    const runner = world.remoteRunner({ limits: { processes: 200 } });
    const job = { run: { command }, at: 'worktree', timeout: 60, network: false } as const;
    const done = await runner.run(job, new AbortController().signal);
    assert.deepEqual([done.exit, done.timedOut], [null, false]);
    assert.deepEqual(processesMarked(mark), []);
  });

  it('make the kernel refuse more processes to a plain user, counted for each sandbox', async () => {
    // Starts up to 300 sleeping processes within the limits of a sandbox that may have 20 processes of 8 threads.
    const fork = `
import os, time
count = 0
try:
    for _ in range(300):
        if os.fork() == 0:
            time.sleep(1.5)
            os._exit(0)
        count += 1
except BlockingIOError:
    pass
print(count)`;
    const inside = limited(['python3', '-c', fork], { ...defaultLimits(), processes: 20 });
    const counts = await Promise.all([asPlainUser(inside), asPlainUser(inside)]);
    for (const count of counts) assert.ok(count > 80 && count <= 160, `${counts.join(' and ')} processes started`);
  });

  it('bound a file, and what all processes use together', async () => {
    const big = await world.run('head -c 9000000 /dev/zero > big; echo $?; wc -c < big; rm big', {}, { limits: { file: 4 * MiB } });
    assert.match(big.output, /4194304/);
    const eat = 'python3 -c "x = bytearray(600 * 1024 * 1024); import time; time.sleep(9)"';
    const one = await world.run(eat, {}, { limits: { memory: 300 * MiB } });
    assert.match(one.output, /bytes of memory/);
    const eatSome = 'python3 -c "x = bytearray(200 * 1024 * 1024); import time; time.sleep(9)" &';
    const all = await world.run(`${eatSome.repeat(3)} wait`, {}, { limits: { memory: 400 * MiB } });
    assert.equal(all.exit, null);
    assert.match(all.output, /bytes of memory/);
  });

  it('count once what processes share since a fork, and what each has of its own', async () => {
    const fork = (each: string) => `python3 -c "
import os, time
data = bytearray(200 << 20)
for _ in range(5):
    if os.fork() == 0:
        ${each}
        time.sleep(1)
        os._exit(0)
for _ in range(5): os.wait()
print('done')
"`;
    const limits = { memory: 500 * MiB };
    assert.equal(await world.prints(fork('pass'), {}, { limits }), 'done');
    assert.match((await world.run(fork('data = bytearray(200 << 20)'), {}, { limits })).output, /bytes of memory/);
  });

  it('let a process reserve terabytes that it does not use, as sanitizers do', async () => {
    const reserve = 'python3 -c "import mmap; mmap.mmap(-1, 14 << 40, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000); print(1)"';
    const { exit, output } = await world.run(reserve, {}, { limits: { memory: 300 * MiB } });
    assert.deepEqual([exit, output.trim()], [0, '1']);
  });

  it('bound the folder of shared memory, and let nothing else be written among the devices', async () => {
    const limits = { temporary: 4 * MiB };
    const done = await world.run('head -c 9000000 /dev/zero > /dev/shm/big; echo x > /dev/more; echo x > /dev/null', {}, { limits });
    assert.match(done.output, /No space left[^]*Read-only/);
    assert.equal(done.exit, 0);
    assert.equal(await world.prints('python3 -c "import multiprocessing as m; m.Lock(); print(1)"'), '1');
  });

  it('bound the temporary folder, and stop a run when the disk has too little space', async () => {
    const done = await world.run('head -c 9000000 /dev/zero > /tmp/big', {}, { limits: { temporary: 4 * MiB } });
    assert.match(done.output, /No space left/);
    const full = await world.run('sleep 9', {}, { limits: { free: Number.MAX_SAFE_INTEGER } });
    assert.equal(full.exit, null);
    assert.match(full.output, /free on the disk/);
  });

  it('are not measured in a tree that somebody removed', async () => {
    const tree = join(world.folder, 'scratch', 'taken');
    mkdirSync(tree, { recursive: true });
    const going = world.run('cd /; touch "$OLDPWD/begun"; sleep 1; echo end', { at: { scratch: tree } });
    while (!existsSync(join(tree, 'begun'))) await delay(20);
    rmSync(tree, { recursive: true });
    assert.equal((await going).output, 'end\n');
  });

  it('let Node.js run', async () => {
    assert.equal(await world.prints('node -e "new WebAssembly.Memory({ initial: 1 }); console.log(1)"'), '1');
  });
});

/** The number that a sandboxed program prints. Root becomes `nobody` first, since the kernel does not limit root. */
async function asPlainUser(argv: string[]): Promise<number> {
  const { options } = bubblewrapOptions({
    mounts: [],
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    network: false,
    identity: { uid: 7, gid: 8 },
  });
  const status = options.indexOf('--json-status-fd');
  const rest = [...options.slice(0, status), ...options.slice(status + 2), '--', ...argv];
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const { stdout } = await promisify(execFile)('bwrap', rest, { cwd: '/', timeout: 300_000, ...nobody });
  return Number(stdout);
}
