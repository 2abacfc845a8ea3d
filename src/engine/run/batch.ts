/**
 * The one runner of verifications: a sprint's, a person's own, and that of *Finish*. As many at a time as the configuration
 * allows; a red run is made once more to tell a flake from a failure; each becomes a record.
 */
import { closedGates, gateOf, withRuns } from '../judge/gates.ts';
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
  /** What is not begun within so many seconds is not run: it has no result, never a green one. `first` goes first. */
  limit?: { seconds: number; first: readonly Runnable[] };
  /** Leaves out what a broken one of a lower tier gates, also one that broke in this batch. */
  gated?: boolean;
  /** As they come. */
  onRun?: (run: Run) => void;
}

/** @returns in the order of `verifications`, without those that were not run. */
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
      writing.add(recorded(ground, verification, { batch, ...ended }).then((run) => void runs.set(verification, run)));
    },
  };
  const left: Runnable[] = [];
  for (const stage of stagesOf(batch, state)) {
    const gates = batch.gated ? closedGates(withRuns(state, runs.values())) : [];
    const open = stage.filter((verification) => !gateOf(verification, gates));
    left.push(...(await inOrder(open, schedule)));
    await writing.end();
  }
  if (limit && left.length > 0) ports.progress({ kind: 'note', text: `not run within ${limit.seconds} s: ${idsOf(left)}` });
  return verifications.flatMap((verification) => runs.get(verification) ?? []);
}

/** What is written down beside the next run: a place is free as soon as a program has ended. */
class Writing {
  failed = false;
  private readonly parts: Promise<void>[] = [];

  add(part: Promise<void>): void {
    part.catch(() => (this.failed = true));
    this.parts.push(part);
  }

  /** @throws what the first part threw. */
  async end(): Promise<void> {
    await Promise.all(this.parts);
  }
}

/** What a hard gate may still stop waits until the tiers below it have ended. */
function stagesOf({ verifications, limit, gated }: Batch, { ledger }: State): Runnable[][] {
  const order = runOrder(verifications, ledger.runs, limit?.first);
  if (!gated) return [order];
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

/** The first run is the evidence; the second only tells whether it was a flake. */
async function runToVerdict(ground: Ground, verification: Runnable, batch: Batch): Promise<Ended> {
  const done = await runOnce(ground, verification, batch);
  const again = isRepeated(done) && !isOnBase(verification, batch) ? await runOnce(ground, verification, batch) : undefined;
  return { done, verdict: verdictOf(done, again) };
}

/** A suite on the base commit: one red run there is enough to leave it out. */
function isOnBase({ kind }: Runnable, { where }: Batch): boolean {
  return kind === 'suite' && where === 'revert';
}

async function recorded(
  ground: Ground,
  verification: Runnable,
  { batch: { where, code, onRun }, done, verdict }: Ended & { batch: Batch },
): Promise<Run> {
  const run = await record(ground, verification, { where, code, done, verdict });
  ground.ports.progress({ kind: 'verification', id: verification.id, verdict, duration: done.duration });
  onRun?.(run);
  return run;
}
