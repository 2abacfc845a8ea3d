/** Runs one verification once: a script in the place that is given, with each of its seeds, a suite in a checkout of its own. */
import { seedsOf } from '../judge/seeds.ts';
import { isGreen } from '../judge/verdict.ts';
import type { ScratchSpec } from '../ports.ts';
import { requiredBy } from '../services/services.ts';
import type { Finished, Job, Place } from '../work/job.ts';
import { scriptName, type Run, type Runnable, type Suite } from '../work/verification.ts';
import type { Ground } from './ground.ts';
import { prepared } from './prepared.ts';

export interface Where {
  at: Place;
  where: Run['where'];
  /** Files below the sprint's folder that a suite finds there, as after the closing commit. */
  closing?: ScratchSpec['closing'];
}

/** What else the job of a script says. */
export interface More extends Pick<Job, 'files' | 'reach' | 'alike'> {
  /** It runs with this one alone. */
  seed?: string;
  /** A text in the script's place. */
  script?: string;
  /** In the place of its own. */
  timeout?: number;
  /** How many times its timeout, and its services' limits, it may take. Left out: once. */
  patience?: number;
}

export async function runOnce(
  ground: Ground,
  verification: Runnable,
  { at, where, closing }: Where,
  { script: text, patience = 1, ...more }: More,
): Promise<Finished> {
  const { state, ports, signal } = ground;
  const script = text ?? (await ports.payloads.get(verification.script));
  const run = { script, ext: verification.ext, name: scriptName(verification) };
  const job = { run, timeout: verification.timeout * patience, network: state.config.network === 'all', view: true };
  const runAt = async (place: Place, extra: Partial<Job> = {}): Promise<Finished> => {
    const done = await ports.runner.run({ ...job, ...extra, at: place }, signal);
    return place === 'worktree' || place.lacks === undefined ? done : { ...done, lacks: place.lacks };
  };
  if (verification.kind === 'suite')
    return prepared(ground, { ...specOf(verification, where), ...(closing ? { closing } : {}) }, (own) => runAt(own, { colours: true }));
  const services = requiredBy(state.work, verification).map((service) => ({ ...service, limit: service.limit * patience }));
  const seeds = more.seed === undefined ? seedsOf(state, verification, where) : [more.seed];
  const extra = { ...more, ...(services.length > 0 ? { services } : {}) };
  if (seeds.length === 0) return runAt(at, extra);
  return withSeeds(seeds, signal, async (seed) => ({ ...(await runAt(at, { ...extra, seed })), seed }));
}

/** Runs one after the other until one is not green, which tells the end; the time of all counts. */
async function withSeeds(seeds: readonly string[], signal: Ground['signal'], run: (seed: string) => Promise<Finished>): Promise<Finished> {
  const [first = '', ...others] = seeds;
  let done = await run(first);
  for (const seed of others) {
    if (!isGreen(done) || signal.aborted) break;
    const next = await run(seed);
    const given = next.given === undefined ? {} : { given: next.given + (done.given ?? done.duration) };
    done = { ...next, duration: next.duration + done.duration, ...given };
  }
  return done;
}

/** A suite runs with its test files from before the sprint: a builder's changes to them count neither for nor against the work (I8). */
function specOf({ files, without, redAtBase = [], check }: Suite, where: Run['where']): ScratchSpec {
  return { revert: [], of: checkouts[where], tests: { files, without: [...without, ...redAtBase], ...(check ? { check } : {}) } };
}

/** What a suite runs on. `tree`: the open change; `clean`: the last commit; `revert`: without the sprint's work, so the base commit. */
const checkouts = { tree: 'change', clean: 'commit', revert: 'base' } as const satisfies Record<Run['where'], ScratchSpec['of']>;
