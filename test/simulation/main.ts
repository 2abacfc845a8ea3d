/**
 * `npm run simulate -- --sprints 20000 [--seed N]` runs that many sprints on all cores and judges them. Sprint i has the seed
 * N + i. `--pairs N` runs so many twice: with the noise of the machine, and without it. A failing seed is shrunk, and the commands that reproduce it are printed. `--mutant NAME` applies a mutant first; it
 * works only in the bundle with replaceable functions (`scripts/swappable.mjs`).
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { measure } from './goals.ts';
import type { Mutant } from './mutant.ts';
import { mutants } from './mutants.ts';
import { pairOf } from './noise.ts';
import { judge, replay } from './report.ts';
import { changeOf, draw, type Scenario } from './scenario.ts';
import { shrink } from './shrink.ts';
import { simulate } from './sprint.ts';
import { add, enter, enterPair, noTotals, type Failure, type Totals } from './totals.ts';

interface Chunk {
  seed: number;
  count: number;
  /** Each sprint with and without the machine's noise. */
  pairs?: boolean;
  change: Partial<Scenario>;
}
type Message = { at: number } | { totals: Totals };

/** Sprints that a worker runs at a time. */
const chunkSize = 20;
/** Milliseconds without a message after which a worker counts as stuck. */
const patience = 120_000;
const silence = 'its worker does not answer any more';

/** Exit status where a guarantee broke. A figure that is not good enough gives 1, and so does any other error. */
const brokeGuarantee = 3;

if (isMainThread) process.exitCode = await main();
else serveChunks(workerData as string | undefined);

async function main(): Promise<number> {
  const options = readOptions();
  const { seed, sprints } = options;
  applyMutant(options.mutant);
  if (!options.quiet) print(`seed ${seed}, ${sprints} sprints`);
  const begun = Date.now();
  const totals = noTotals();
  const queue = [...chunks(options, sprints), ...chunks(options, options.pairs, true)];
  await Promise.all(Array.from({ length: availableParallelism() }, () => runChunks(queue, totals, options)));
  const seconds = (Date.now() - begun) / 1000;
  const goals = options.first || sprints < 1000 ? [] : await measure(seed, Math.min(40, Math.ceil(sprints / 200)));
  const { lines, problems } = judge(totals, goals, seconds);
  if (!options.quiet) print(lines.join('\n'));
  for (const failure of totals.failures.sort((a, b) => a.seed - b.seed).slice(0, options.first ? 1 : 3))
    await printFailure(failure, options);
  for (const reason of options.quiet ? [] : problems) print(`FAILED: ${reason}`);
  if (totals.failures.length > 0) return brokeGuarantee;
  // Figures mean nothing for chosen seeds or worlds, or after an early stop.
  return problems.length === 0 || options.first ? 0 : 1;
}

interface Options {
  seed: number;
  change: Partial<Scenario>;
  sprints: number;
  /** How many are run side by side. */
  pairs: number;
  /** Stops at the first failure. */
  first: boolean;
  /** Prints only what failed. */
  quiet: boolean;
  mutant: string | undefined;
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      sprints: { type: 'string' },
      pairs: { type: 'string' },
      seed: { type: 'string' },
      with: { type: 'string' },
      first: { type: 'boolean' },
      quiet: { type: 'boolean' },
      mutant: { type: 'string' },
    },
  });
  const sprints = Number(values.sprints ?? 2000);
  const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000_000));
  const pairs = Number(values.pairs ?? (sprints < 1000 || values.first ? 0 : Math.ceil(sprints / 20)));
  if (![sprints, seed, pairs].every(Number.isSafeInteger) || sprints + pairs < 1)
    throw new Error('--sprints, --pairs and --seed take whole numbers');
  return {
    sprints,
    seed,
    pairs,
    first: values.first ?? false,
    quiet: values.quiet ?? false,
    mutant: values.mutant,
    change: changeOf(values.with ?? '{}'),
  };
}

function chunks({ seed, change }: Options, count: number, pairs = false): Chunk[] {
  return Array.from({ length: Math.ceil(count / chunkSize) }, (_, i) => {
    const from = i * chunkSize;
    return { seed: seed + from, count: Math.min(chunkSize, count - from), change, pairs };
  });
}

/** Gives one worker a chunk after the other, and replaces the worker when it is stuck. */
async function runChunks(queue: Chunk[], totals: Totals, { first, mutant }: Options): Promise<void> {
  const startWorker = (): Worker => new Worker(new URL(import.meta.url), { workerData: mutant });
  let worker = startWorker();
  for (let chunk = queue.shift(); chunk; chunk = queue.shift()) {
    const part = await runChunk(worker, chunk);
    add(totals, part);
    if (part.failures.some(({ guarantee }) => guarantee === 'stuck')) {
      await worker.terminate();
      worker = startWorker();
    }
    if (first && totals.failures.length > 0) queue.length = 0;
  }
  await worker.terminate();
}

function runChunk(worker: Worker, chunk: Chunk): Promise<Totals> {
  return new Promise((resolve, reject) => {
    let at = chunk.seed;
    const stuck = (): void => done({ ...noTotals(), sprints: 1, failures: [{ seed: at, guarantee: 'stuck', detail: silence }] });
    let timer = setTimeout(stuck, patience);
    const onMessage = (message: Message): void => {
      clearTimeout(timer);
      if ('totals' in message) return done(message.totals);
      at = message.at;
      timer = setTimeout(stuck, patience);
    };
    const done = (totals: Totals): void => {
      clearTimeout(timer);
      worker.off('message', onMessage);
      worker.off('error', reject);
      resolve(totals);
    };
    worker.on('message', onMessage);
    worker.on('error', reject);
    worker.postMessage(chunk);
  });
}

function serveChunks(mutant: string | undefined): void {
  const wanted = applyMutant(mutant)?.breaks;
  parentPort?.on('message', ({ seed, count, change, pairs }: Chunk) => {
    const run = async (): Promise<void> => {
      const totals = noTotals();
      for (let i = 0; i < count; i += 1) {
        const scenario = { ...draw(seed + i), ...change };
        parentPort?.postMessage({ at: seed + i } satisfies Message);
        if (!pairs) {
          enter(totals, scenario, await simulate(scenario), wanted);
          continue;
        }
        const pair = pairOf(scenario);
        enterPair(totals, pair, await simulate(pair.calm), await simulate(pair.noisy));
      }
      parentPort?.postMessage({ totals } satisfies Message);
    };
    void run();
  });
}

/** @throws where there is no such mutant, or the bundle has no replaceable functions */
function applyMutant(name: string | undefined): Mutant | undefined {
  if (name === undefined) return undefined;
  const mutant = mutants.find((candidate) => candidate.name === name);
  if (!mutant) throw new Error(`There is no mutant "${name}".`);
  mutant.apply();
  return mutant;
}

async function printFailure(failure: Failure, { change, first }: Options): Promise<void> {
  const { seed, guarantee, detail, scenario = { ...draw(seed), ...change } } = failure;
  print(`\nseed ${seed}: ${guarantee}: ${detail.split('\n').slice(0, 4).join('\n  ')}\n  ${replay(failure, scenario)}`);
  if (first || detail === silence) return;
  print(`  smaller: ${replay(failure, await shrink(scenario, guarantee))}`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
