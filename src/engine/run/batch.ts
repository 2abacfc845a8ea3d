/**
 * Runs verifications: for a sprint, for the person, and for *Finish*. It runs as many at a time as the configuration allows,
 * repeats a red run to tell a flake from a failure, and records each run. A red that the machine may have caused, and one of what
 * should be green, is looked at alone, when no other runs: a change is taken back for it, or somebody is called.
 */
import { barriersOf, barrierOf, withRuns } from '../judge/barriers.ts';
import { installFault } from '../judge/install-fault.ts';
import { runOrder } from '../judge/order.ts';
import { isExpectedRed } from '../judge/unsettled.ts';
import { isRepeated, machineWords, mayBeMachine, verdictOf } from '../judge/verdict.ts';
import type { State } from '../state/state.ts';
import type { Job, Place } from '../work/job.ts';
import { installWords } from '../work/install.ts';
import { isHard, rankOf } from '../work/tier.ts';
import type { Run, Runnable } from '../work/verification.ts';
import { lookAlone, patience, untilCalm, type Judged } from './alone.ts';
import { runOnce, type Where } from './run-once.ts';
import type { Ground } from './ground.ts';
import type { Allowance } from './allowance.ts';
import { record } from './record.ts';
import { inOrder } from './schedule.ts';

export interface Batch extends Where {
  verifications: readonly Runnable[];
  /** Code number that the runs count for; null when that is decided later or never. */
  code: number | null;
  /** Verifications that have not begun when `time` is over have no result, so never a green one. `first` go first. */
  limit?: { time: Allowance; first: readonly Runnable[] };
  /** Whether these runs decide already; then no other is looked at alone. */
  decided?: (runs: readonly Run[]) => boolean;
  /**
   * A red run is expected here: alone it gets no more time. `once`: not even a second try where its own time ran out. `unlooked`: what
   * the machine may have caused has no result, and nobody looks again.
   */
  redExpected?: 'unlooked' | 'once' | 'again';
  /** Leaves out verifications that are held back by a broken one of a lower tier, also by one that broke in this batch. */
  withBarriers?: boolean;
  /** What else the jobs of scripts say. */
  job?: Pick<Job, 'alike' | 'files'>;
  /** Called with each run once it is recorded. */
  onRun?: (run: Run) => void;
}

/** @returns the runs in the order of `verifications`, without those that did not run. */
export async function runVerifications(ground: Ground, batch: Batch): Promise<Run[]> {
  const { verifications, limit } = batch;
  const { state, ports, signal } = ground;
  const runs = new Map<Runnable, Run>();
  const writing = new Writing();
  const suspects: { verification: Runnable; done: Judged['done'] }[] = [];
  const schedule = {
    parallel: state.config.verificationParallelism,
    goesOn: () => !signal.aborted && !writing.failed && limit?.time.isOver !== true,
    run: async (verification: Runnable) => {
      const ended = await runBesideOthers(ground, verification, batch);
      limit?.time.giveBack(ended.done, state.config.verificationParallelism);
      if (ended.verdict === undefined) suspects.push({ verification, done: ended.done });
      else
        writing.add(
          recordEnded(ground, verification, batch, { ...ended, verdict: ended.verdict }).then((run) => void runs.set(verification, run)),
        );
    },
  };
  const notRun: Runnable[] = [];
  for (const stage of stagesOf(batch, state)) {
    const barriers = batch.withBarriers ? barriersOf(withRuns(state, runs.values())) : [];
    const open = stage.filter((verification) => !barrierOf(verification, barriers));
    notRun.push(...(await inOrder(open, schedule)));
    await writing.end();
    for (const { verification, done } of suspects.splice(0)) {
      const judged = await judge(ground, verification, batch, { done, runs: [...runs.values()] });
      runs.set(verification, await recordEnded(ground, verification, batch, judged));
    }
  }
  if (limit && notRun.length > 0 && !signal.aborted)
    ports.progress({ kind: 'note', text: `not run within ${limit.time.seconds} s: ${idsOf(notRun)}` });
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

/** No verdict where it is to be looked at alone. */
interface Ended {
  done: Judged['done'];
  verdict: Run['verdict'] | undefined;
}

/** The first run is the evidence; the second only shows whether it was a flake. */
async function runBesideOthers(ground: Ground, verification: Runnable, batch: Batch): Promise<Ended> {
  ground.ports.progress({ kind: 'verification-began', id: verification.id });
  const done = await runOnce(ground, verification, batch, batch.job ?? {});
  if (mayBeMachine(done) && wouldAct(ground, batch, done)) return { done, verdict: undefined };
  if (isUnexpected(ground, verification, batch, done)) return { done, verdict: undefined };
  const isSecond = isRepeated(done) && !isOnBase(verification, batch);
  const again = isSecond ? await runOnce(ground, verification, batch, { ...batch.job, ...sameSeed(done) }) : undefined;
  return { done, verdict: verdictOf(done, again) };
}

/** It is red by itself, and should be green: beside others it may only have had too little of the machine. */
function isUnexpected({ state, signal }: Ground, verification: Runnable, { where }: Batch, done: Judged['done']): boolean {
  return where !== 'revert' && !signal.aborted && isRepeated(done) && !isExpectedRed(state, verification);
}

/** Whether it is a flake shows only on the inputs that it failed with. */
function sameSeed({ seed }: Judged['done']): { seed?: string } {
  return seed === undefined ? {} : { seed };
}

/** Whether anybody would act on a red here. A stopped sprint only ends. */
function wouldAct({ signal }: Ground, batch: Batch, { timedOut }: Judged['done']): boolean {
  return !signal.aborted && !(timedOut && batch.redExpected === 'once');
}

/** How a run beside others ended, and all that are recorded. */
interface Suspect {
  done: Judged['done'];
  runs: readonly Run[];
}

/** Where the runs decide already, the rest need not be looked at: nothing is known of them. */
async function judge(ground: Ground, verification: Runnable, batch: Batch, { done, runs }: Suspect): Promise<Judged> {
  if (isRepeated(done)) return repeatAlone(ground, verification, batch, { done, runs });
  if (batch.redExpected === 'unlooked') return { done, verdict: 'none', why: `${machineWords(done)}, which a fault may do, too` };
  const isExpected = isRedExpected(ground, verification, batch);
  if (!batch.decided?.(runs)) return lookAlone(ground, verification, { ...batch, patience: isExpected ? 1 : patience }, done);
  return { done, verdict: 'none', why: `${machineWords(done)}, and nobody looked again, since others decided` };
}

/** A fault was put into the work, or the work is not there. */
function isRedExpected({ state }: Ground, verification: Runnable, { redExpected }: Batch): boolean {
  return redExpected !== undefined || isExpectedRed(state, verification);
}

/** A second run that the machine struck tells nothing of a flake: that one is looked at, as any other. */
async function repeatAlone(ground: Ground, verification: Runnable, batch: Batch, { done, runs }: Suspect): Promise<Judged> {
  const isDecided = batch.decided?.(runs) === true;
  if (!isDecided) await untilCalm(ground, shortWait);
  const job = { ...batch.job, ...sameSeed(done) };
  const again = await runOnce(ground, verification, batch, job);
  if (isDecided || !mayBeMachine(again)) return { done, verdict: verdictOf(done, again) };
  const { verdict, looks = 0 } = await lookAlone(ground, verification, { ...batch, job, patience }, again);
  return { done, verdict: verdict === 'green' || verdict === 'flaky' ? 'flaky' : 'red', looks };
}

/** Seconds in which the machine may calm down from what ran beside it; many may be red at once. */
const shortWait = 10;

/** A suite on the base commit is not repeated: one red run is enough to leave it out. */
function isOnBase({ kind }: Runnable, { where }: Batch): boolean {
  return kind === 'suite' && where === 'revert';
}

async function recordEnded(ground: Ground, verification: Runnable, batch: Batch, judged: Judged): Promise<Run> {
  const { at, where, code, onRun } = batch;
  const run = await record(ground, verification, { where, code }, unlessInstallFailed(ground.state, at, judged));
  const { verdict, duration } = run;
  // Cut off by a stop, it tells nothing of the work, and its step is made once more.
  const isCut = ground.signal.aborted && verdict !== 'green';
  const words = isCut ? 'stopped' : verdict === 'none' ? 'no result' : verdict;
  const expected = words === 'red' && isRedExpected(ground, verification, batch) ? { isExpected: true as const } : {};
  ground.ports.progress({ kind: 'verification', id: verification.id, verdict: words, duration, ...expected });
  onRun?.(run);
  return run;
}

/** What is red while an install lacks tells nothing of the work. A scratch checkout makes its own. */
function unlessInstallFailed(state: State, at: Place, judged: Judged): Judged {
  const failed = at === 'worktree' ? installFault(state) : undefined;
  const lacks = judged.done.lacks ?? (failed && installWords(failed.install));
  return judged.verdict === 'green' || lacks === undefined ? judged : { ...judged, verdict: 'none', why: `the install ${lacks} failed` };
}
