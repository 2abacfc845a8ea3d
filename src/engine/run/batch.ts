/**
 * Runs verifications: for a sprint, for the person, and for *Finish*. It runs as many at a time as the configuration allows,
 * repeats a red run to tell a flake from a failure, and records each run.
 */
import { barriersOf, barrierOf, withRuns } from '../judge/barriers.ts';
import { runOrder } from '../judge/order.ts';
import { isRepeated, verdictOf } from '../judge/verdict.ts';
import type { State } from '../state/state.ts';
import type { Finished } from '../work/job.ts';
import { isHard, rankOf } from '../work/tier.ts';
import type { Run, Runnable } from '../work/verification.ts';
import { runOnce, type Where } from './run-once.ts';
import type { Ground } from './ground.ts';
import { record } from './record.ts';
import { inOrder } from './schedule.ts';

export interface Batch extends Where {
  verifications: readonly Runnable[];
  /** Code number that the runs count for; null when that is decided later or never. */
  code: number | null;
  /** Verifications that have not begun after `seconds` have no result, so never a green one. `first` go first. */
  limit?: { seconds: number; first: readonly Runnable[] };
  /** Leaves out verifications that are held back by a broken one of a lower tier, also by one that broke in this batch. */
  withBarriers?: boolean;
  /** Called with each run once it is recorded. */
  onRun?: (run: Run) => void;
}

/** @returns the runs in the order of `verifications`, without those that did not run. */
export async function runVerifications(ground: Ground, batch: Batch): Promise<Run[]> {
  const { verifications, limit } = batch;
  const { state, ports, signal } = ground;
  const end = limit ? ports.clock.now() + limit.seconds * 1000 : Infinity;
  const runs = new Map<Runnable, Run>();
  const writing = new Writing();
  const schedule = {
    parallel: state.config.verificationParallelism,
    goesOn: () => !signal.aborted && !writing.failed && ports.clock.now() < end,
    run: async (verification: Runnable) => {
      const ended = await runToVerdict(ground, verification, batch);
      writing.add(recordEnded(ground, verification, batch, ended).then((run) => void runs.set(verification, run)));
    },
  };
  const notRun: Runnable[] = [];
  for (const stage of stagesOf(batch, state)) {
    const barriers = batch.withBarriers ? barriersOf(withRuns(state, runs.values())) : [];
    const open = stage.filter((verification) => !barrierOf(verification, barriers));
    notRun.push(...(await inOrder(open, schedule)));
    await writing.end();
  }
  if (limit && notRun.length > 0) ports.progress({ kind: 'note', text: `not run within ${limit.seconds} s: ${idsOf(notRun)}` });
  return verifications.flatMap((verification) => runs.get(verification) ?? []);
}

/** Runs are recorded while the next ones run: a slot is free as soon as its program has ended. */
class Writing {
  failed = false;
  private readonly parts: Promise<void>[] = [];

  add(part: Promise<void>): void {
    part.catch(() => (this.failed = true));
    this.parts.push(part);
  }

  /** @throws the error of the first part that failed. */
  async end(): Promise<void> {
    await Promise.all(this.parts);
  }
}

/** One stage for each hard tier, lowest first, then all others: a break in one stage may hold the next ones back. */
function stagesOf({ verifications, limit, withBarriers }: Batch, { ledger }: State): Runnable[][] {
  const order = runOrder(verifications, ledger.runs, limit?.first);
  if (!withBarriers) return [order];
  const hard = [...new Set(order.filter(isHard).map(rankOf))];
  return [...hard.map((rank) => order.filter((one) => rankOf(one) === rank)), order.filter((one) => !isHard(one))];
}

function idsOf(verifications: readonly Runnable[]): string {
  return verifications.map(({ id }) => id).join(', ');
}

interface Ended {
  done: Finished;
  verdict: Run['verdict'];
}

/** The first run is the evidence; the second only shows whether it was a flake. */
async function runToVerdict(ground: Ground, verification: Runnable, batch: Batch): Promise<Ended> {
  const done = await runOnce(ground, verification, batch);
  const again = isRepeated(done) && !isOnBase(verification, batch) ? await runOnce(ground, verification, batch) : undefined;
  return { done, verdict: verdictOf(done, again) };
}

/** A suite on the base commit is not repeated: one red run is enough to leave it out. */
function isOnBase({ kind }: Runnable, { where }: Batch): boolean {
  return kind === 'suite' && where === 'revert';
}

async function recordEnded(ground: Ground, verification: Runnable, { where, code, onRun }: Batch, { done, verdict }: Ended): Promise<Run> {
  const run = await record(ground, verification, { where, code }, done, verdict);
  ground.ports.progress({ kind: 'verification', id: verification.id, verdict, duration: done.duration });
  onRun?.(run);
  return run;
}
