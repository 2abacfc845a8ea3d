/**
 * Benchmark: what the engine costs in an iteration of a pipeline, beside its model. The model is a mock that answers at once; git,
 * disk and journal are real. An iteration lasts from its decision to the next one: files, session, snapshot, and where it changed
 * the repository the commit.
 */
import { performance } from 'node:perf_hooks';

import { preparePipeline } from '../../src/host/pipelines/prepare.ts';
import { runPipeline } from '../../src/host/pipelines/run-pipeline.ts';
import { createMock } from '../../src/models/mock.ts';
import { absent } from '../support/person.ts';
import { pipelineGround } from '../support/pipeline.ts';
import { bench, median, print, quantile, report, rounded } from './support/figures.ts';

const iterations = 25;
const warmUp = 3;
const goalMs = 50;

bench(async () => {
  await measure('pipeline-iteration', '');
  await measure('pipeline-iteration-kept', 'output: docs/plan.md\n');
});

async function measure(name: string, output: string): Promise<void> {
  const stage = `termination: { type: fixed }\nguardrails: { max_iterations: ${iterations} }\n${output}`;
  const at = await pipelineGround(
    { 'pipelines/stages/many/stage.yaml': stage, 'pipelines/stages/many/prompt.md': '${CTX} ${STATUS}', 'docs/plan.md': 'A plan.\n' },
    {},
  );
  Object.assign(process.env, at.env);
  try {
    print(`running ${iterations} iterations, ${output === '' ? 'which change nothing' : 'each of which is committed'}`);
    const begins = await beginsOf(at.repo);
    if (begins.length !== iterations + 1) throw new Error(`there were ${begins.length - 1} iterations, not ${iterations}`);
    const wall = differences(begins.map((one) => one.wall));
    // The least says what an idle machine takes, where others share this one.
    const about = { least: rounded(Math.min(...wall)), p90: rounded(quantile(wall, 0.9)), samples: wall.length };
    report({ name, value: median(wall), unit: 'ms', goal: goalMs }, about);
    // What other programs on the machine cannot slow down; git is another process, and not in it.
    const own = differences(begins.map((one) => one.processor));
    report({ name: `${name}-processor`, value: median(own), unit: 'ms', goal: null }, { samples: own.length });
  } finally {
    await at.dispose();
  }
}

function differences(times: readonly number[]): number[] {
  return times
    .slice(1)
    .map((time, index) => time - (times[index] ?? 0))
    .slice(warmUp);
}

interface Begin {
  /** Milliseconds by the clock, and of this process's own work. */
  wall: number;
  processor: number;
}

/** When each iteration's decision was begun, and the one after the last. */
async function beginsOf(root: string): Promise<Begin[]> {
  const begins: Begin[] = [];
  const prepared = await preparePipeline(root, 'many', {}, 'many');
  await runPipeline({
    root,
    session: 'many',
    prepared,
    mock: true,
    model: createMock(prepared, () => undefined),
    person: absent,
    overrides: {},
    signal: new AbortController().signal,
    onEvent: (event) => {
      if (event.type !== 'step.begun' || event.step.kind !== 'action') return;
      if (!['iterate', 'close'].includes(event.step.decision.action)) return;
      const { user, system } = process.cpuUsage();
      begins.push({ wall: performance.now(), processor: (user + system) / 1000 });
    },
    onProgress: () => undefined,
  });
  return begins;
}
