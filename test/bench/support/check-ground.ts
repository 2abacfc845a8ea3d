// Owns what the benchmarks of running verifications run on: a worktree, payloads, the real sandbox, and runChecks over them.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createContext } from '../../../src/engine/context.ts';
import { createKernel } from '../../../src/engine/kernel.ts';
import type { Ports } from '../../../src/engine/ports.ts';
import { runChecks } from '../../../src/engine/run/batch.ts';
import type { Check, CheckRun } from '../../../src/engine/work/check.ts';
import { systemClock } from '../../../src/host/clock.ts';
import { openPayloads } from '../../../src/host/payloads.ts';
import { createLauncher } from '../../../src/host/launcher/launcher.ts';
import type { RunnerOptions } from '../../../src/host/sandbox/options.ts';
import { openShelf } from '../../../src/host/shelf.ts';
import { createVerificationFiles } from '../../../src/host/verification-files.ts';
import { Story } from '../../engine/support/events.ts';
import { check } from '../../engine/support/parts.ts';
import { world } from '../../support/fakes.ts';

interface Batch {
  /** Milliseconds. */
  took: number;
  runs: CheckRun[];
}

export interface CheckGround {
  folder: string;
  options: RunnerOptions;
  /** One verification for each text. */
  checks(texts: readonly string[]): Promise<Check[]>;
  /** Runs them all, each to be green, in the order that earlier runs suggest. */
  run(checks: readonly Check[], how?: { parallel?: number; before?: readonly CheckRun[] }): Promise<Batch>;
  dispose(): void;
}

/** @param usual how many run at the same time, if nothing else is said. */
export function checkGround(usual: number): CheckGround {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'loop-bench-')));
  const worktree = join(folder, 'tree');
  const loop = join(folder, '.loop');
  for (const path of [worktree, loop]) mkdirSync(path);
  execFileSync('git', ['init', '-q', worktree]);
  const options = { worktree, gitCommonDir: join(worktree, '.git'), network: 'none' as const, hidden: [loop] };
  const payloads = openPayloads(loop);
  const verifications = createVerificationFiles(openShelf(loop), payloads);
  const ports: Ports = {
    ...world().ports,
    clock: systemClock,
    payloads,
    verifications,
    runner: createLauncher(resolve('dist/launcher.js')).runner({ ...options, variables: {} }),
    progress: () => undefined,
  };
  return {
    folder,
    options,
    checks: (texts) => Promise.all(texts.map((text, n) => written(text, n, loop, payloads))),
    async run(checks, { parallel = usual, before = [] } = {}) {
      const { state } = new Story({ checkParallelism: parallel });
      for (const run of before) state.ledger.runs[run.lineage] = [run];
      const { signal } = new AbortController();
      const context = createContext(createKernel({ state, ports, signal, owner: 1, onEvent: () => undefined }));
      const from = performance.now();
      const runs = await runChecks(context, { checks, at: 'worktree', where: 'tree', code: 0 });
      const took = performance.now() - from;
      const red = runs.find((run) => run.verdict !== 'green');
      if (runs.length !== checks.length || red) throw new Error(`${runs.length} of ${checks.length} ran; ${red?.summary ?? ''}`);
      return { took, runs };
    },
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** As a sprint has it: a payload, and a file below `.loop/verifications` that a person may look at. */
async function written(text: string, n: number, loop: string, payloads: Ports['payloads']): Promise<Check> {
  const id = `bench/check-${n}`;
  mkdirSync(join(loop, 'verifications', 'bench'), { recursive: true });
  writeFileSync(join(loop, 'verifications', `${id}.sh`), text);
  return check({ id, lineage: id, script: await payloads.put(text) });
}
