/**
 * `npm run simulate -- --sprints 20000 [--seed N]`: as many sprints on all cores, judged. A seed that fails is shrunk, and the
 * commands that show it again are printed. Sprint i of a run has the seed N + i. With `--mutant NAME`, in a bundle that is made for
 * it, the engine is broken in that way first.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { measure } from './goals.ts';
import { mutants } from './mutants.ts';
import { judge, replay } from './report.ts';
import { draw, type Scenario } from './scenario.ts';
import { shrink } from './shrink.ts';
import { simulate } from './sprint.ts';
import { add, enter, noTotals, type Failure, type Totals } from './totals.ts';

interface Chunk {
  seed: number;
  count: number;
  change: Partial<Scenario>;
}
type Said = { at: number } | { totals: Totals };

/** Sprints that a worker does at a time, and seconds after which one that says nothing is stuck. */
const chunkSize = 20;
const patience = 120_000;
const silence = 'it says nothing any more';

/** Exit status where a guarantee broke. A figure that is not good enough gives 1, and so does whatever keeps it from running. */
const brokeGuarantee = 3;

if (isMainThread) process.exitCode = await main();
else work(workerData as string | undefined);

async function main(): Promise<number> {
  const options = parsed();
  const { seed, sprints } = options;
  breakBy(options.mutant);
  if (!options.quiet) say(`seed ${seed}, ${sprints} sprints`);
  const begun = Date.now();
  const totals = noTotals();
  const left = chunks(options);
  await Promise.all(Array.from({ length: availableParallelism() }, () => employ(left, totals, options)));
  const seconds = (Date.now() - begun) / 1000;
  const goals = options.first || sprints < 1000 ? [] : await measure(seed, Math.min(40, Math.ceil(sprints / 200)));
  const { lines, wrong } = judge(totals, goals, seconds);
  if (!options.quiet) say(lines.join('\n'));
  for (const failure of totals.failures.sort((a, b) => a.seed - b.seed).slice(0, options.first ? 1 : 3)) await explain(failure, options);
  for (const reason of options.quiet ? [] : wrong) say(`FAILED: ${reason}`);
  if (totals.failures.length > 0) return brokeGuarantee;
  // In a world of somebody's choosing, or half-way, figures say nothing.
  return wrong.length === 0 || options.first ? 0 : 1;
}

interface Options extends Chunk {
  sprints: number;
  /** Stops at the first failure. */
  first: boolean;
  /** Says only what failed. */
  quiet: boolean;
  mutant: string | undefined;
}

function parsed(): Options {
  const { values } = parseArgs({
    options: {
      sprints: { type: 'string' },
      seed: { type: 'string' },
      with: { type: 'string' },
      first: { type: 'boolean' },
      quiet: { type: 'boolean' },
      mutant: { type: 'string' },
    },
  });
  const sprints = Number(values.sprints ?? 2000);
  const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000_000));
  if (!Number.isSafeInteger(sprints) || sprints < 1 || !Number.isSafeInteger(seed))
    throw new Error('--sprints and --seed take whole numbers');
  return {
    sprints,
    seed,
    count: sprints,
    first: values.first ?? false,
    quiet: values.quiet ?? false,
    mutant: values.mutant,
    change: JSON.parse(values.with ?? '{}') as Partial<Scenario>,
  };
}

function chunks({ seed, sprints, change }: Options): Chunk[] {
  return Array.from({ length: Math.ceil(sprints / chunkSize) }, (_, i) => {
    const from = i * chunkSize;
    return { seed: seed + from, count: Math.min(chunkSize, sprints - from), change };
  });
}

/** Gives one worker a chunk after the other; replaces it where it does not come back. */
async function employ(left: Chunk[], totals: Totals, { first, mutant }: Options): Promise<void> {
  const hire = (): Worker => new Worker(new URL(import.meta.url), { workerData: mutant });
  let worker = hire();
  for (let chunk = left.shift(); chunk; chunk = left.shift()) {
    const part = await report(worker, chunk);
    add(totals, part);
    if (part.failures.some(({ guarantee }) => guarantee === 'stuck')) {
      await worker.terminate();
      worker = hire();
    }
    if (first && totals.failures.length > 0) left.length = 0;
  }
  await worker.terminate();
}

function report(worker: Worker, chunk: Chunk): Promise<Totals> {
  return new Promise((resolve, reject) => {
    let at = chunk.seed;
    const stuck = (): void => done({ ...noTotals(), sprints: 1, failures: [{ seed: at, guarantee: 'stuck', detail: silence }] });
    let timer = setTimeout(stuck, patience);
    const hear = (said: Said): void => {
      clearTimeout(timer);
      if ('totals' in said) return done(said.totals);
      at = said.at;
      timer = setTimeout(stuck, patience);
    };
    const done = (totals: Totals): void => {
      clearTimeout(timer);
      worker.off('message', hear);
      worker.off('error', reject);
      resolve(totals);
    };
    worker.on('message', hear);
    worker.on('error', reject);
    worker.postMessage(chunk);
  });
}

function work(mutant: string | undefined): void {
  breakBy(mutant);
  parentPort?.on('message', ({ seed, count, change }: Chunk) => {
    const run = async (): Promise<void> => {
      const totals = noTotals();
      for (let i = 0; i < count; i += 1) {
        const scenario = { ...draw(seed + i), ...change };
        parentPort?.postMessage({ at: seed + i } satisfies Said);
        enter(totals, scenario, await simulate(scenario));
      }
      parentPort?.postMessage({ totals } satisfies Said);
    };
    void run();
  });
}

/** @throws where there is no such mutant, or the bundle is not made for it. */
function breakBy(name: string | undefined): void {
  if (name === undefined) return;
  const mutant = mutants.find((one) => one.name === name);
  if (!mutant) throw new Error(`There is no mutant "${name}".`);
  mutant.make();
}

async function explain(failure: Failure, { change, first }: Options): Promise<void> {
  const { seed, guarantee, detail } = failure;
  const scenario = { ...draw(seed), ...change };
  say(`\nseed ${seed}: ${guarantee}: ${detail.split('\n').slice(0, 4).join('\n  ')}\n  ${replay(failure, scenario)}`);
  if (first || detail === silence) return;
  say(`  smaller: ${replay(failure, await shrink(scenario, guarantee))}`);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
