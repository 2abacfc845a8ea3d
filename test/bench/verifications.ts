/**
 * Benchmark: running verifications: what Loop adds to the sandbox itself, how that grows, and how much a regression takes beyond its
 * slowest script.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { firstInputFd, statusFd } from '../../src/host/sandbox/bubblewrap.ts';
import { commandLine } from '../../src/host/sandbox/command-line.ts';
import { machineDefaults } from '../../src/host/machine-defaults.ts';
import { createVariables } from '../../src/host/variables.ts';
import { inspectHost } from '../../src/host/sandbox/layout.ts';
import { defaultLimits } from '../../src/host/sandbox/limits.ts';
import { findSandbox } from '../../src/host/sandbox/programs.ts';
import { verificationGround, type VerificationGround } from './support/verification-ground.ts';
import { bench, median, report, print } from './support/figures.ts';

const parallelism = 10;
const roundCount = 5;
const manyCount = 200;
const script = '#!/bin/sh\nsleep 0.05\n';

bench(async () => {
  const ground = verificationGround(parallelism);
  try {
    await againstXargs(ground);
    await growth(ground);
    await regression(ground);
  } finally {
    ground.dispose();
  }
});

/** Each round runs both, and they take turns in going first, so that other load on the machine affects both. */
async function againstXargs(ground: VerificationGround): Promise<void> {
  const verifications = await ground.verifications(Array.from({ length: manyCount }, () => script));
  const line = await sandboxLine(ground);
  const rounds: { loop: number; xargs: number }[] = [];
  await ground.run(verifications.slice(0, parallelism));
  for (let n = 0; n < roundCount; n++) {
    const first = n % 2 === 0 ? await underXargs(line) : 0;
    const { took: loop } = await ground.run(verifications);
    const xargs = first || (await underXargs(line));
    rounds.push({ loop, xargs });
    print(`round ${n + 1}: Loop ${loop.toFixed(0)} ms, xargs ${xargs.toFixed(0)} ms`);
  }
  const value = median(rounds.map(({ loop, xargs }) => loop / xargs));
  const times = { loop: Math.round(median(rounds.map((r) => r.loop))), xargs: Math.round(median(rounds.map((r) => r.xargs))) };
  report({ name: 'checks-200-over-xargs', value, unit: 'ratio', goal: 1.1 }, { samples: roundCount, ...times, load: load() });
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

/** Writes a shell script that starts one sandbox as the runner would. */
async function sandboxLine({ folder, options }: VerificationGround): Promise<string> {
  const host = inspectHost(process.env);
  const programs = await findSandbox([options.worktree]);
  const reports = join(folder, 'reports');
  mkdirSync(reports);
  const job = { run: { script, ext: 'sh', name: 'bench-verification' }, at: 'worktree' as const, timeout: 60, network: false };
  const launch = commandLine(
    { options, host, limits: defaultLimits(), variables: createVariables([], {}) },
    { job, root: options.worktree, port: 4000, reports },
    programs,
  );
  const scriptFolder = join(folder, 'line');
  mkdirSync(scriptFolder);
  launch.inputs.forEach((text, n) => writeFileSync(join(scriptFolder, `input-${n}`), text));
  const inputs = launch.inputs.map((_, n) => `${firstInputFd + n}<'${scriptFolder}/input-${n}'`).join(' ');
  const words = [...launch.options, '--', ...launch.argv].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  const line = join(scriptFolder, 'line.sh');
  const redirects = `${statusFd}>/dev/null ${inputs} </dev/null >/dev/null 2>&1`;
  writeFileSync(line, `exec '${launch.bubblewrap}' ${words} ${redirects}\n`);
  return line;
}

async function underXargs(line: string): Promise<number> {
  const from = performance.now();
  await promisify(execFile)('sh', ['-c', `seq ${manyCount} | env -i PATH=/usr/bin:/bin xargs -P${parallelism} -I{} sh '${line}'`]);
  return performance.now() - from;
}
