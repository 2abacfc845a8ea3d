/** A busy machine, and one that sleeps: a timeout counts the time that a run was given. In the real sandbox, under real load. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { after, before, describe, it } from 'mocha';
import type { Finished } from '../../../src/engine/work/job.ts';
import { besideHogs } from '../../support/hogs.ts';
import { launchersOf } from '../../support/launchers.ts';
import { processesMarked, World } from './world.ts';

/** Uses a CPU for one second, however long that takes. */
const oneSecond = `node -e "while (process.cpuUsage().user + process.cpuUsage().system < 1e6);"`;

describe('a run on a busy machine', () => {
  let world: World;
  before(() => (world = new World()));
  after(() => world.dispose());

  it('that needs a CPU for one second ends green within two beside two busy loops a core', async () => {
    const runs = await besideHogs(() => Promise.all([1, 2, 3].map(() => world.run(oneSecond, { timeout: 2 }))));
    for (const { exit, timedOut, given = 0, duration } of runs) {
      assert.deepEqual([exit, timedOut], [0, false], `it was given ${given} of ${duration} ms`);
      assert.ok(given < 2000 && given <= duration);
    }
  });

  it('of many short programs is given no more than it used', async () => {
    const many = 'i=0; while [ $i -lt 300 ]; do /bin/true; i=$((i+1)); done';
    const { exit, given = 0, duration } = await besideHogs(() => world.run(many, { timeout: 30 }));
    // Beside two busy loops it has a third of a core.
    assert.ok(exit === 0 && given < duration * 0.67, `it was given ${given} of ${duration} ms`);
  });

  for (const [what, command] of [
    ['computes for ever', 'while :; do :; done'],
    ['sleeps for ever', 'sleep 600'],
    ['waits for itself', 'sleep 600 & wait'],
    ['computes for ever in many threads', 'for i in 1 2 3 4 5 6 7 8; do (while :; do :; done) & done; wait'],
  ] as const)
    it(`that ${what} has its own time run out, in bounded time`, async () => {
      const done = await besideHogs(() => world.run(command, { timeout: 2 }));
      assert.deepEqual([done.exit, done.timedOut, done.stopped], [null, true, undefined]);
      assert.ok((done.given ?? 0) >= 1900 && done.duration < 31_000, `it was given ${done.given} of ${done.duration} ms`);
    });
});

describe('a run whose time ran out', () => {
  let world: World;
  before(() => (world = new World()));
  after(() => world.dispose());
  const limits = { late: 1000 };
  const busy = 'while :; do :; done';

  it('hung where nothing in it did anything for half of that and to the end, and says what still ran', async () => {
    const done = await world.run('echo begun; sleep 600 & sh -c "sleep 601; true" & wait', { timeout: 6 }, { limits });
    assert.deepEqual([done.timedOut, done.hung, done.stopped], [true, true, undefined]);
    assert.match(
      done.output,
      /^begun\n\n\[loop: its time ran out; nothing in it did anything for the last [3-6] s, and there still ran: .*sleep 600; sh -c sleep 601; true/m,
    );
    assert.doesNotMatch(done.output, /bwrap|\/run\/program/);
  });

  it('hung on a busy machine, too', async () => {
    const done = await besideHogs(() => world.run('sleep 600', { timeout: 6 }, { limits }));
    assert.deepEqual([done.timedOut, done.hung], [true, true]);
  });

  it('did not hang where it computes, asks often, or was short', async () => {
    const ends = await Promise.all([
      world.run(busy, { timeout: 3 }, { limits }),
      world.run('while :; do for i in 1 2 3; do cat /etc/hostname; done >/dev/null; sleep 0.02; done', { timeout: 3 }, { limits }),
      world.run('sleep 600', { timeout: 3 }),
    ]);
    assert.deepEqual(
      ends.map(({ timedOut, hung }) => [timedOut, hung]),
      [
        [true, undefined],
        [true, undefined],
        [true, undefined],
      ],
    );
    assert.match(ends[2]?.output ?? '', /^\[loop: its time ran out; there still ran: sleep 600\]$/m);
  });

  it('did not hang where the machine gave it nothing to do it with', async () => {
    const work = "node -e \"for (;;) { require('node:child_process').execFileSync('/bin/true'); }\"";
    const done = await besideHogs(() => world.run(work, { timeout: 3 }, { limits }));
    assert.deepEqual([done.timedOut, done.hung], [true, undefined]);
  });

  it('did not hang where it waits for a service of the person outside', async () => {
    const outside = { name: 'db', start: { compose: 'db', file: 'compose.yaml' }, ready: { command: 'true' }, limit: 5 };
    const done = await world.run('sleep 600', { timeout: 3, network: true, services: [outside] }, { limits });
    assert.deepEqual([done.timedOut, done.hung], [true, undefined]);
  });
});

/** One that has just ended needs no signal. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** All processes that these processes started, and those started, and so on, by one listing: the run goes on meanwhile. */
function below(ancestors: readonly number[]): number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const pairs = rows.map((row) => row.trim().split(/\s+/).map(Number));
  const childrenOf = (pid: number): number[] =>
    pairs.filter(([, parent]) => parent === pid).flatMap(([child = 0]) => [child, ...childrenOf(child)]);
  return ancestors.flatMap(childrenOf);
}

describe('a run on a machine that sleeps for ten seconds', () => {
  let world: World;
  before(() => (world = new World()));
  after(() => world.dispose());

  /** Stops these processes for ten seconds, longer than the run's timeout, once the marked command runs, which waits for that. */
  async function asleep(mark: string, others: () => number[]): Promise<Finished> {
    const runner = world.remoteRunner();
    const woken = join(world.tree, mark);
    const command = `sh -c 'until [ -e ${mark} ]; do sleep 0.2; done; sleep 2'`;
    const running = runner.run({ run: { command }, at: 'worktree', timeout: 9, network: false }, new AbortController().signal);
    while (processesMarked(mark).length === 0) await delay(50);
    const stopped = [...others(), ...below(launchersOf(process.pid))];
    for (const pid of stopped) signal(pid, 'SIGSTOP');
    await delay(10_000);
    writeFileSync(woken, '');
    for (const pid of stopped) signal(pid, 'SIGCONT');
    return running;
  }

  it('goes on where only its sandbox was stopped', async () => {
    wentOn(await asleep(`loop-asleep-${process.pid}`, () => []));
  });

  it('goes on where Loop was stopped with it', async () => {
    wentOn(await asleep(`loop-asleep-too-${process.pid}`, () => launchersOf(process.pid)));
  });
});

function wentOn({ exit, timedOut, given = 0, duration }: Finished): void {
  assert.deepEqual([exit, timedOut], [0, false], `it was given ${given} of ${duration} ms`);
  assert.ok(given < 9000 && duration >= 10_000, `it was given ${given} of ${duration} ms`);
}
