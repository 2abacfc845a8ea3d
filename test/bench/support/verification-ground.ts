/** The ground of the benchmarks that run verifications: a worktree, payloads, the real sandbox, and `runVerifications` over them. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createContext } from '../../../src/engine/context.ts';
import { createKernel } from '../../../src/engine/kernel.ts';
import type { Ports } from '../../../src/engine/ports.ts';
import { runVerifications } from '../../../src/engine/run/batch.ts';
import type { Run, Runnable, Script } from '../../../src/engine/work/verification.ts';
import { systemClock } from '../../../src/host/clock.ts';
import { openPayloads } from '../../../src/host/payloads.ts';
import { createLauncher } from '../../../src/host/launcher/launcher.ts';
import type { RunnerOptions } from '../../../src/host/sandbox/options.ts';
import { openShelf } from '../../../src/host/shelf.ts';
import { createVerificationFiles } from '../../../src/host/verification-files.ts';
import { Story } from '../../engine/support/events.ts';
import { verification } from '../../engine/support/parts.ts';
import { world } from '../../support/fakes.ts';

interface Batch {
  /** In milliseconds. */
  took: number;
  runs: Run[];
}

export interface VerificationGround {
  folder: string;
  options: RunnerOptions;
  /** One verification for each text. */
  verifications(texts: readonly string[]): Promise<Script[]>;
  /** Runs all verifications in the order that earlier runs suggest. @throws where one is not green */
  run(verifications: readonly Runnable[], how?: { parallel?: number; before?: readonly Run[] }): Promise<Batch>;
  dispose(): void;
}

/** @param usual how many verifications run at once by default */
export function verificationGround(usual: number): VerificationGround {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'loop-bench-')));
  const worktree = join(folder, 'tree');
  const loop = join(folder, '.loop');
  for (const path of [worktree, loop]) mkdirSync(path);
  execFileSync('git', ['init', '-q', worktree]);
  const views = join(folder, 'views');
  const options = { worktree, gitCommonDir: join(worktree, '.git'), views, network: 'none' as const, hidden: [loop] };
  const payloads = openPayloads(loop);
  const files = createVerificationFiles(openShelf(loop), payloads);
  const ports: Ports = {
    ...world().ports,
    clock: systemClock,
    payloads,
    verifications: files,
    runner: createLauncher(resolve('dist/launcher.js')).runner({ ...options, variables: {} }),
    progress: () => undefined,
  };
  return {
    folder,
    options,
    verifications: (texts) => Promise.all(texts.map((text, n) => writeScript(text, n, loop, payloads))),
    async run(verifications, { parallel = usual, before = [] } = {}) {
      const { state } = new Story({ verificationParallelism: parallel });
      for (const run of before) state.ledger.runs[run.lineage] = [run];
      const { signal } = new AbortController();
      const context = createContext(createKernel({ state, ports, signal, owner: 1, onEvent: () => undefined }));
      const from = performance.now();
      const runs = await runVerifications(context, { verifications, at: 'worktree', where: 'tree', code: 0 });
      const took = performance.now() - from;
      const red = runs.find((run) => run.verdict !== 'green');
      if (runs.length !== verifications.length || red)
        throw new Error(`${runs.length} of ${verifications.length} ran; ${red?.summary ?? ''}`);
      return { took, runs };
    },
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Writes a script as a sprint does: a payload, and a file below `.loop/verifications` for the person. */
async function writeScript(text: string, n: number, loop: string, payloads: Ports['payloads']): Promise<Script> {
  const id = `bench/verification-${n}`;
  mkdirSync(join(loop, 'verifications', 'bench'), { recursive: true });
  writeFileSync(join(loop, 'verifications', `${id}.sh`), text);
  return verification({ id, lineage: id, script: await payloads.put(text) });
}
