/**
 * Benchmark: sprints of fixtures on a calm machine, then beside two busy loops a core, with a slow disk, and with a machine that
 * sleeps for ten seconds in the middle of a run. Each has to end as it does on a calm machine: not one fix, take-back or red more.
 * Each sprint is played once more before that, on a calm machine, and this is what all are compared with. `--sprints N` plays so many
 * in each world; `--seed N` draws when the machine falls asleep.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { besideHogs, beside } from '../support/hogs.ts';
import { seeded } from '../support/random.ts';
import { bench, numberOf, print, report, seedOf } from './support/figures.ts';
import { fixtureSprints, type Outcome } from './support/fixture-sprints.ts';

/** How a sprint is played in each world. */
const worlds: Readonly<Record<string, (name: string) => Promise<Outcome>>> = {
  calm: (name) => play(name),
  busy: (name) => besideHogs(() => play(name)),
  'slow disk': (name) => besideWriters(() => play(name)),
  asleep: (name) => play(name, sleepOnce),
};

const random = seeded(seedOf());
/** Sprints in which the machine slept: the others were over before. */
let slept = 0;

const names = Object.keys(fixtureSprints);

bench(async () => {
  const count = numberOf('--sprints', names.length);
  const usual = new Map<string, Outcome>();
  for (const name of names.slice(0, count)) usual.set(name, await play(name));
  for (const [world, playIn] of Object.entries(worlds)) {
    const others: string[] = [];
    const sums = { stops: {} as Record<string, number>, fixes: 0, takenBack: 0, reds: 0, looks: 0 };
    const from = performance.now();
    for (let n = 0; n < count; n += 1) {
      const name = names[n % names.length] ?? '';
      const outcome = await playIn(name);
      const calm = usual.get(name);
      if (!calm) throw new Error(`"${name}" was not played on a calm machine`);
      if (!isAlike(outcome, calm)) others.push(`${name}: ${words(outcome)}; calm: ${words(calm)}`);
      sums.stops[outcome.stop] = (sums.stops[outcome.stop] ?? 0) + 1;
      for (const key of ['fixes', 'takenBack', 'reds', 'looks'] as const) sums[key] += outcome[key];
      print(`${world}, ${n + 1} of ${count}: ${name}: ${words(outcome)}`);
    }
    const seconds = Math.round((performance.now() - from) / 1000);
    if (world === 'asleep' && slept === 0) throw new Error('each sprint was over before the machine slept, so this tells nothing');
    const more = {
      of: count,
      ...(world === 'asleep' ? { slept, seed: seedOf() } : {}),
      ...sums,
      seconds,
      load: loadavg().map((value) => value.toFixed(1)),
      others,
    };
    report({ name: `load-${world.replace(' ', '-')}-ends-otherwise`, value: others.length, unit: 'sprints', goal: 0 }, more);
  }
});

/** Looks are no harm: they are how the machine is told from the work. */
function isAlike(one: Outcome, other: Outcome): boolean {
  return words({ ...one, looks: 0 }) === words({ ...other, looks: 0 });
}

function words({ stop, fixes, takenBack, reds, looks }: Outcome): string {
  return `${stop}, ${fixes} fixes, ${takenBack} taken back, ${reds} reds, ${looks} looked at`;
}

/** Plays a sprint in a process of its own. */
async function play(name: string, meanwhile: (sprint: ChildProcess) => Promise<void> = () => Promise.resolve()): Promise<Outcome> {
  const sprint = spawn(process.execPath, [resolve('out/test/bench/children/play-sprint.js'), name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  sprint.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = new Promise<void>((done) => sprint.once('close', () => done()));
  await Promise.all([ended, meanwhile(sprint)]);
  if (sprint.exitCode !== 0) throw new Error(`the sprint "${name}" ended with status ${sprint.exitCode}`);
  return JSON.parse(said) as Outcome;
}

/** Processes that write and wait for the disk, so that all others wait for it too. */
async function besideWriters<T>(use: () => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'loop-writers-'));
  const write = (n: number): [string, string[]] => [
    'sh',
    ['-c', `while :; do dd if=/dev/zero of=${folder}/${n} bs=1M count=64 conv=fsync 2>/dev/null; done`],
  ];
  try {
    return await beside([write(1), write(2)], use);
  } finally {
    // What a writer began when it was ended goes on for a moment.
    rmSync(folder, { recursive: true, force: true, maxRetries: 60, retryDelay: 250 });
  }
}

/** Stops a sprint and all that it started for ten seconds, once a sandbox of its is running. */
async function sleepOnce(sprint: ChildProcess): Promise<void> {
  const pid = sprint.pid ?? 0;
  const isOver = (): boolean => sprint.exitCode !== null;
  await delay(1000 + random() * 3000);
  while (!isOver() && !below(pid).some(({ program }) => program.includes('bwrap'))) await delay(20);
  if (isOver()) return;
  slept += 1;
  const stopped = [pid];
  signal(pid, 'SIGSTOP');
  // What is not stopped yet may start more.
  for (let more = [pid]; more.length > 0;) {
    more = below(pid).flatMap((one) => (stopped.includes(one.pid) ? [] : [one.pid]));
    for (const one of more) signal(one, 'SIGSTOP');
    stopped.push(...more);
  }
  await delay(10_000);
  for (const one of stopped.toReversed()) signal(one, 'SIGCONT');
}

/** One that has just ended needs no signal. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** All processes that a process started, and those started, and so on. */
function below(pid: number): { pid: number; program: string }[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,comm='], { encoding: 'utf8' }).split('\n');
  const all = lines.flatMap((line) => {
    const [, own, parent, program = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return own === undefined ? [] : [{ pid: Number(own), parent: Number(parent), program }];
  });
  const of = (parent: number): typeof all => all.filter((one) => one.parent === parent).flatMap((one) => [one, ...of(one.pid)]);
  return of(pid);
}
