/** The process that starts sandboxes and git: requests, results, and which process ends with which. All are real. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { after, before, describe, it } from 'mocha';
import { InputError, Interruption } from '../../../src/engine/ground/errors.ts';
import type { Job } from '../../../src/engine/work/job.ts';
import { GitFailed, GitOverflowed, GitTimedOut, openGit, type GitAt } from '../../../src/host/git/git.ts';
import { createLauncher } from '../../../src/host/launcher/launcher.ts';
import type { Conversation } from '../../../src/host/sandbox/runner.ts';
import { createStop } from '../../../src/host/stop.ts';
import { launchersOf } from '../../support/launchers.ts';
import { bundleChild, firstOutput, killHard } from '../children.ts';
import { processesMarked, World } from '../sandbox/world.ts';

const file = resolve('dist/launcher.js');

describe('launcher', () => {
  let world: World;
  before(() => (world = new World()));
  after(() => world.dispose());

  const create = (variables: Record<string, string> = {}, idle?: number) => world.remoteRunner({}, variables, idle);
  const job = (command: string, more: Partial<Job> = {}): Job => ({
    run: { command },
    at: 'worktree',
    timeout: 20,
    network: false,
    ...more,
  });
  const never = createStop().signal;

  it('runs many at a time and gives each its own result', async () => {
    const runner = create();
    const runs = Array.from({ length: 12 }, (_, n) => runner.run(job(`echo ${n}; exit ${n}`), never));
    const results = (await Promise.all(runs)).map(({ output, exit, root }) => [output, exit, root]);
    assert.deepEqual(
      results,
      Array.from({ length: 12 }, (_, n) => [`${n}\n`, n, world.tree]),
    );
  });

  it('returns megabytes of output, and how much was left out', async () => {
    const { output, dropped } = await create().run(job('yes 0123456789 | head -c 20000000; echo ä'), never);
    assert.ok(output.length > 16_000_000 && dropped > 3_000_000 && output.endsWith('ä\n'));
  });

  it('has a small program, since each start of a process copies its memory', () => {
    assert.ok(statSync(file).size < 168 * 1024, `${statSync(file).size} bytes`);
  });

  it('passes on the next step for the person where a run is refused', async () => {
    const refused = create().run(job('true', { at: { scratch: '/no/such/tree' } }), never);
    await assert.rejects(refused, (error) => error instanceof InputError && /There is no folder/.test(error.message) && error.next !== '');
  });

  it('passes on the stack of a bug in its process', async () => {
    const broken = create().run(job('true', { run: undefined as never }), never);
    await assert.rejects(broken, (error: Error) => !(error instanceof InputError) && error.stack?.includes(file) === true);
  });

  it('ends a run that is cancelled, before or after it began', async () => {
    const runner = create();
    const early = await runner.run(job('sleep 30'), AbortSignal.abort());
    assert.deepEqual([early.exit, early.timedOut], [null, false]);
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 300);
    const done = await runner.run(job('sleep 30'), stop.signal);
    assert.deepEqual([done.exit, done.timedOut, done.duration < 20_000], [null, false, true]);
  });

  it('gives access to the input and output of a running command', async () => {
    let output: Promise<string> | undefined;
    let conversation: Conversation | undefined;
    const done = await create().run(job('read line; echo "got $line on $PORT"; cat | wc -c'), never, (begun) => {
      conversation = begun;
      output = text(begun.output);
      begun.stdin.write('hello\n');
      begun.stdin.end(Buffer.alloc(300_000, 'x'));
    });
    assert.deepEqual([done.exit, conversation?.root], [0, world.tree]);
    assert.equal(await output, `got hello on ${conversation?.ports['PORT']}\n300000\n`);
  });

  it("passes the person's variables where no other process can read them, and redacts them in the output", async () => {
    const [secret, mark] = [`the-key-of-house-${process.pid}`, `loop-secret-${process.pid}`];
    const runner = create({ HOUSE_KEY: secret });
    const going = runner.run(job(`${sleeping(mark, 3)}; echo "$HOUSE_KEY"; echo \${#HOUSE_KEY}`), never);
    await until(() => sleeps(mark));
    assert.deepEqual(processesMarked(secret), []);
    assert.equal((await going).output, `[redacted]\n${secret.length}\n`);
  });

  it('reports that its process was killed, and starts another for the next run', async () => {
    const runner = create();
    const mark = `loop-lost-${process.pid}`;
    const lost = runner.run(job(sleeping(mark, 60)), never);
    lost.catch(() => undefined);
    await until(() => sleeps(mark));
    for (const pid of launchersOf(process.pid)) process.kill(pid, 'SIGKILL');
    await assert.rejects(lost, (error) => interruptedBy('lost-launcher')(error) && /SIGKILL/.test((error as Error).message));
    await until(() => !sleeps(mark));
    assert.equal((await runner.run(job('echo again'), never)).output, 'again\n');
  });

  it('reports a cancelled run where its process was killed at the same time', async () => {
    const others = new Set(launchersOf(process.pid));
    const stop = new AbortController();
    const runner = create();
    const cancelled = runner.run(job('sleep 60'), stop.signal);
    for (const pid of launchersOf(process.pid)) if (!others.has(pid)) process.kill(pid, 'SIGKILL');
    stop.abort();
    await assert.rejects(cancelled, interruptedBy('cancelled'));
  });

  it('starts another process as soon as one is gone, also where a program that the dead one started still holds its channel', async () => {
    const others = new Set(launchersOf(process.pid));
    const runner = create();
    const lost = runner.run(job('sleep 60'), never);
    lost.catch(() => undefined);
    const [pid = 0] = launchersOf(process.pid).filter((each) => !others.has(each));
    const takeChannel = `$h = syscall(438, syscall(434, ${pid}, 0), 3, 0); $| = 1; print "$h\\n"; sleep 60`; // pidfd_getfd, pidfd_open
    const holder = spawn('perl', ['-e', takeChannel], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      assert.match(await firstOutput(holder), /^\d+$/m, 'the channel is held');
      process.kill(pid, 'SIGKILL');
      await assert.rejects(lost, interruptedBy('lost-launcher'));
      assert.equal((await runner.run(job('echo again'), never)).output, 'again\n');
    } finally {
      holder.kill();
    }
  });

  it('ends its process when nothing runs for a while, and starts another', async () => {
    const others = new Set(launchersOf(process.pid));
    const mine = () => launchersOf(process.pid).filter((pid) => !others.has(pid));
    const runner = create({}, 200);
    const long = runner.run(job('until [ -e stop ]; do sleep 0.05; done; rm stop'), never);
    await runner.run(job('true'), never);
    await delay(500); // longer than it may be idle
    assert.equal(mine().length, 1);
    writeFileSync(join(world.tree, 'stop'), '');
    await long;
    await until(() => mine().length === 0);
    assert.equal((await runner.run(job('echo again'), never)).output, 'again\n');
  });

  describe('calling git', () => {
    const { callGit } = createLauncher(file);
    /** Blocks: nobody writes into this pipe. */
    const slow = ['hash-object', 'fifo'];
    before(() => void execFileSync('mkfifo', [join(world.repo, 'fifo')]));
    const open = (at: Partial<GitAt> = {}) => openGit({ folder: world.repo, call: callGit, ...at });

    it('answers as git in this process does, with input, settings and exit statuses', async () => {
      const here = openGit({ folder: world.repo });
      for (const args of [
        ['rev-parse', 'HEAD'],
        ['ls-tree', '-r', '-z', 'HEAD'],
      ])
        assert.equal(await open().run(args), await here.run(args));
      assert.match(await open().run(['hash-object', '--stdin'], { input: 'ä' }), /^[0-9a-f]{40}\n$/);
      assert.equal(await open().run(['config', 'a.b'], { config: ['a.b=c d'] }), 'c d\n');
      assert.equal(await open().test(['config', 'no.such']), false);
      const missing = open().run(['cat-file', 'blob', 'HEAD:missing']);
      await assert.rejects(missing, (error) => error instanceof GitFailed && error.exit === 128 && /missing/.test(error.stderr));
    });

    it('stops at too much output, at the timeout and on cancellation', async () => {
      const much = await open().run(['hash-object', '-w', '--stdin'], { input: 'x'.repeat(9_000_000) });
      await assert.rejects(
        open().run(['cat-file', 'blob', much.trim()], { maxBytes: 200_000 }),
        (error) => error instanceof GitOverflowed && error.output.length > 0 && error.output.length <= 200_000,
      );
      await assert.rejects(open().run(slow, { timeout: 300 }), GitTimedOut);
      const stop = new AbortController();
      setTimeout(() => stop.abort(), 300);
      await assert.rejects(open({ signal: stop.signal }).run(slow), interruptedBy('cancelled'));
      const call = () => Promise.reject(new Error('git was called'));
      await assert.rejects(open({ signal: stop.signal, call }).run(['status']), interruptedBy('cancelled'));
    });

    it('gives git the environment of the engine, without the launcher’s own variables', async () => {
      world.git('config', 'alias.show-env', '!env');
      const env = await open().run(['show-env']);
      assert.match(env, new RegExp(`^HOME=${homedir()}$`, 'm'));
      assert.doesNotMatch(env, /ELECTRON_RUN_AS_NODE|NODE_CHANNEL/);
    });

    it('reports that its process was killed', async () => {
      const others = new Set(launchersOf(process.pid));
      const lost = openGit({ folder: world.repo, call: createLauncher(file).callGit }).run(slow);
      lost.catch(() => undefined);
      for (const pid of launchersOf(process.pid)) if (!others.has(pid)) process.kill(pid, 'SIGKILL');
      await assert.rejects(lost, interruptedBy('lost-launcher'));
    });
  });

  describe('in an engine', () => {
    let child: string;
    before(() => (child = bundleChild('hold-sandbox', world.folder)));
    /** Starts an engine in a process group of its own, as a terminal does. */
    const start = (command: string) =>
      spawn(process.execPath, [child, file, world.tree, join(world.repo, '.git'), command], {
        detached: true,
        stdio: ['ignore', 'pipe', 'inherit'],
      });

    it('leaves no process when the engine is killed', async () => {
      const mark = `loop-killed-${process.pid}`;
      const engine = start(sleeping(mark, 60));
      await firstOutput(engine);
      await until(() => sleeps(mark));
      const [launcher = 0] = launchersOf(engine.pid ?? 0);
      assert.notEqual(launcher, 0);
      await killHard(engine);
      await until(() => !sleeps(mark) && !isAlive(launcher));
    });

    it('does not keep the engine from ending', async () => {
      const engine = start('echo done');
      const [output] = await Promise.all([text(engine.stdout), once(engine, 'exit')]);
      assert.equal(output, 'begun\ndone\n');
    });

    it('lets no command have what its engine was given by a terminal: a folder of the person leads out of the sandbox', async () => {
      const command = 'cat /proc/self/fd/200/id_canary; echo x > /proc/self/fd/200/planted; echo done';
      const words = [process.execPath, child, file, world.tree, join(world.repo, '.git'), command];
      const folder = join(world.home, '.ssh');
      const engine = spawn('bash', ['-c', 'exec 200<"$0"; "$@"', folder, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
      const output = await text(engine.stdout);
      assert.match(output, /done\n$/);
      assert.ok(!output.includes('the key of the house'), output);
      assert.equal(existsSync(join(folder, 'planted')), false);
    });

    it('tells an engine that does nothing else that it was killed', async () => {
      const mark = `loop-lost-${process.pid}`;
      const engine = spawn(process.execPath, [child, file, world.tree, join(world.repo, '.git'), sleeping(mark, 60)], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const told = text(engine.stderr);
      await until(() => sleeps(mark));
      for (const pid of launchersOf(engine.pid ?? 0)) process.kill(pid, 'SIGKILL');
      assert.match(await told, /The process with which Loop starts commands and git ended \(SIGKILL\)/);
    });

    it('ignores a signal to the whole process group, since the engine decides what it means', async () => {
      const mark = `loop-signal-${process.pid}`;
      const engine = start(`${sleeping(mark, 3)}; echo done`);
      const output = text(engine.stdout);
      await until(() => sleeps(mark));
      process.kill(-(engine.pid ?? 0), 'SIGINT');
      for (const pid of launchersOf(engine.pid ?? 0)) process.kill(pid, 'SIGTERM');
      assert.equal(await output, 'begun\ndone\n');
    });
  });
});

/** A command that sleeps under a name of its own, so that only its own command line holds the name. */
function sleeping(name: string, seconds: number): string {
  return `(exec -a '${name} sleeps' sleep ${seconds})`;
}

function sleeps(name: string): boolean {
  return processesMarked(`${name} sleeps`).some((line) => !line.includes('exec'));
}

const interruptedBy = (reason: Interruption['reason']) => (error: unknown) => error instanceof Interruption && error.reason === reason;

function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await delay(50);
}
