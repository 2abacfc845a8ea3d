/**
 * Benchmark: running verifications: what Loop adds to the sandbox itself, how that grows, how much a regression takes beyond its
 * slowest script, and what a view of the tree costs a run.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { firstInputFd, reportFd, statusFd } from '../../src/host/sandbox/bubblewrap.ts';
import { commandLine } from '../../src/host/sandbox/command-line.ts';
import { machineDefaults } from '../../src/host/machine-defaults.ts';
import { createVariables } from '../../src/host/variables.ts';
import { inspectHost } from '../../src/host/sandbox/layout.ts';
import { defaultLimits } from '../../src/host/sandbox/limits.ts';
import { mountOverlay, type Overlay } from '../../src/host/sandbox/overlay.ts';
import { findSandbox, type SandboxPrograms } from '../../src/host/sandbox/programs.ts';
import { createRunner } from '../../src/host/sandbox/runner.ts';
import type { ViewWay } from '../../src/host/sandbox/view-ways.ts';
import { verificationGround, type VerificationGround } from './support/verification-ground.ts';
import { bench, median, report, print } from './support/figures.ts';

const parallelism = 10;
const roundCount = 5;
const manyCount = 200;
const sleptSeconds = 0.05;
const script = `#!/bin/sh\nsleep ${sleptSeconds}\n`;

bench(async () => {
  const ground = verificationGround(parallelism);
  try {
    await againstXargs(ground);
    await growth(ground);
    await regression(ground);
    await viewPrices(ground);
  } finally {
    ground.dispose();
  }
});

/**
 * Each round runs all, and Loop and xargs take turns in going first, so that other load on the machine affects both. `bare` is
 * the same sandbox in the tree itself, without a view.
 */
async function againstXargs(ground: VerificationGround): Promise<void> {
  const verifications = await ground.verifications(Array.from({ length: manyCount }, () => script));
  const programs = await findSandbox([ground.options.worktree]);
  const held = await holdViews(ground, programs);
  const [line, bareLine] = [sandboxLine(ground, programs, held), sandboxLine(ground, programs, [])];
  const rounds: { loop: number; xargs: number; bare: number }[] = [];
  await ground.run(verifications.slice(0, parallelism));
  for (let n = 0; n < roundCount; n++) {
    const first = n % 2 === 0 ? await underXargs(line) : 0;
    const { took: loop } = await ground.run(verifications);
    const xargs = first || (await underXargs(line));
    rounds.push({ loop, xargs, bare: await underXargs(bareLine) });
    print(`round ${n + 1}: ${JSON.stringify(rounds.at(-1))}`);
  }
  await Promise.all(held.map(({ end }) => end()));
  const middle = (time: (round: (typeof rounds)[number]) => number): number => median(rounds.map(time));
  const times = {
    loop: Math.round(middle((r) => r.loop)),
    xargs: Math.round(middle((r) => r.xargs)),
    bare: Math.round(middle((r) => r.bare)),
  };
  const more = { samples: roundCount, ...times, load: load() };
  report({ name: 'checks-200-over-xargs', value: middle((r) => r.loop / r.xargs), unit: 'ratio', goal: 1.1 }, more);
  report({ name: 'checks-200-over-xargs-without-views', value: middle((r) => r.loop / r.bare), unit: 'ratio', goal: null }, more);
}

/** One view for each slot of xargs. */
function holdViews({ options }: VerificationGround, programs: SandboxPrograms): Promise<Overlay[]> {
  mkdirSync(options.views, { recursive: true });
  const hold = (): Promise<Overlay> => mountOverlay(programs, mkdtempSync(join(options.views, 'held-')), options.worktree);
  return Promise.all(Array.from({ length: parallelism }, hold));
}

/** What a view adds to a run that is alone and writes a file, in milliseconds, for small and large trees. */
async function viewPrices({ folder, options }: VerificationGround): Promise<void> {
  for (const files of [500, 50_000]) {
    const worktree = join(folder, `tree-${files}`);
    plant(worktree, files);
    for (const [viewBy, samples] of [
      ['overlay', 21],
      ['copy', files > 1000 ? 3 : 11],
    ] as [ViewWay, number][]) {
      const runner = createRunner({ ...options, worktree, viewBy });
      const time = async (view: boolean): Promise<number> => {
        const run = { script: '#!/bin/sh\necho x >written\n', ext: 'sh', name: 'bench-view' };
        const from = performance.now();
        await runner.run({ run, at: 'worktree', timeout: 600, network: false, view }, new AbortController().signal);
        return performance.now() - from;
      };
      const prices: number[] = [];
      await time(true);
      for (let n = 0; n < samples; n++) prices.push((await time(true)) - (await time(false)));
      report({ name: `view-price-${viewBy}-${files}-files`, value: median(prices), unit: 'ms', goal: null }, { samples, load: load() });
    }
  }
}

function plant(worktree: string, files: number): void {
  for (let n = 0; n < files; n++) {
    const path = join(worktree, `folder-${Math.floor(n / 100)}`);
    if (n % 100 === 0) mkdirSync(path, { recursive: true });
    writeFileSync(join(path, `file-${n}.txt`), `file ${n}\n`.repeat(100));
  }
}

/** The time of one verification among 2,000, divided by its time among 200. */
async function growth(ground: VerificationGround): Promise<void> {
  const few = await ground.verifications(Array.from({ length: manyCount }, () => script));
  const many = await ground.verifications(Array.from({ length: manyCount * 10 }, () => script));
  const before = await ground.run(few);
  const { took: long } = await ground.run(many);
  const after = await ground.run(few);
  const short = (before.took + after.took) / 2;
  const value = long / many.length / (short / few.length);
  report({ name: 'checks-2000-over-200', value, unit: 'ratio', goal: null }, { long: Math.round(long), short: Math.round(short) });
}

/** Twenty scripts of 0.1 to 2 s that were green before, run with the parallelism of xargs and with this machine's default. */
async function regression(ground: VerificationGround): Promise<void> {
  const seconds = Array.from({ length: 20 }, (_, n) => (n + 1) / 10);
  const verifications = await ground.verifications(seconds.map((s) => `#!/bin/sh\nsleep ${s}\n`));
  const slowest = Math.max(...seconds) * 1000;
  const { runs: before } = await ground.run(verifications);
  for (const parallel of new Set([parallelism, machineDefaults().verificationParallelism])) {
    const times: number[] = [];
    for (let n = 0; n < roundCount; n++) times.push((await ground.run(verifications, { parallel, before })).took);
    const name = `regression-20-over-slowest-${parallel}-at-a-time`;
    const goal = parallel < parallelism ? null : 1000;
    report({ name, value: median(times) - slowest, unit: 'ms', goal }, { samples: roundCount, slowest, load: load() });
  }
}

/** The load of the machine in the last one, five and fifteen minutes. */
function load(): string[] {
  return loadavg().map((value) => value.toFixed(1));
}

/** Writes a shell script that starts one sandbox as the runner would, in the view of its slot where views are given. */
function sandboxLine({ folder, options }: VerificationGround, programs: SandboxPrograms, views: readonly Overlay[]): string {
  const host = inspectHost(process.env);
  const scriptFolder = mkdtempSync(join(folder, 'line-'));
  const reports = join(scriptFolder, 'reports');
  mkdirSync(reports);
  const [view] = views;
  const job = { run: { script, ext: 'sh', name: 'bench-verification' }, at: 'worktree' as const, timeout: 60, network: false, view: true };
  const launch = commandLine(
    { options, host, limits: defaultLimits(), variables: createVariables([], {}) },
    { job, root: options.worktree, ports: [4000], reports, view },
    programs,
  );
  launch.inputs.forEach((text, n) => writeFileSync(join(scriptFolder, `input-${n}`), text));
  const inputs = launch.inputs.map((_, n) => `${firstInputFd + n}<'${scriptFolder}/input-${n}'`).join(' ');
  const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
  // The views differ only in the process that holds them.
  const holders = views.map(({ enter }) => enter.at(-2));
  const start = launch.bubblewrap.map((word) => (word === holders[0] ? '"$1"' : quoted(word)));
  const words = [...start, ...[...launch.options, '--', ...launch.argv].map(quoted)].join(' ');
  const line = join(scriptFolder, 'line.sh');
  const handed = join(scriptFolder, 'handed');
  writeFileSync(handed, launch.handed?.text ?? '');
  const redirects = `${statusFd}>/dev/null ${reportFd}<'${handed}' ${inputs} </dev/null >/dev/null 2>&1`;
  const choose = views.length > 0 ? `set -- ${holders.join(' ')}; shift "$SLOT"; ` : '';
  writeFileSync(line, `${choose}exec ${words} ${redirects}\n`);
  return line;
}

/** @throws where the scripts did not run: they would have taken longer. */
async function underXargs(line: string): Promise<number> {
  const from = performance.now();
  await promisify(execFile)('sh', [
    '-c',
    `seq ${manyCount} | env -i PATH=/usr/bin:/bin xargs --process-slot-var=SLOT -P${parallelism} -I{} sh '${line}'`,
  ]);
  const took = performance.now() - from;
  if (took < (sleptSeconds * 1000 * manyCount) / parallelism)
    throw new Error(`${manyCount} sandboxes under xargs took ${took} ms: no script ran`);
  return took;
}
