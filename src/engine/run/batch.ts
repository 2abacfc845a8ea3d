/**
 * Runs verifications and makes the engine's own record of each (I8, I9): exit status, whole output on disk, excerpt, kind,
 * signature. A red one is run once more to tell a flake from a failure.
 */
import type { Context } from '../context.ts';
import type { Finished, Place } from '../work/job.ts';
import type { State } from '../state/state.ts';
import type { CaseSummary } from '../work/case.ts';
import type { Check, CheckRun } from '../work/check.ts';
import type { ServiceProbe } from '../work/service.ts';
import { summaryOfCases } from '../diagnose/cases.ts';
import { classify } from '../diagnose/classify.ts';
import { closedGates, gateOf, withRuns } from '../judge/gates.ts';
import { runOrder } from '../judge/order.ts';
import { casesOf, type Cases } from '../diagnose/reports/cases.ts';
import { inOrder } from './schedule.ts';
import { requiredBy } from '../services/services.ts';
import { signature, summarize } from '../diagnose/signature.ts';
import { runSuite } from './suite.ts';
import { isHard, rankOf } from '../work/tier.ts';
import { excerptOf, tell, toldDead, type Told } from '../diagnose/run-text.ts';

export interface Batch {
  checks: readonly Check[];
  at: Place;
  where: CheckRun['where'];
  /** Code number that the runs count for; null when that is decided later or never. */
  code: number | null;
  /** What is not begun within so many seconds is not run: it has no result, never a green one. `first` goes first. */
  limit?: { seconds: number; first: readonly Check[] };
  /** Leaves out what a broken one of a lower tier gates, also one that broke in this batch. */
  gated?: boolean;
}

/** As many at a time as the configuration allows; results in the order of `checks`, without those that were not run. */
export async function runChecks(context: Context, batch: Batch): Promise<CheckRun[]> {
  const { checks, limit } = batch;
  const { state, ports, signal } = context;
  const end = limit ? ports.clock.now() + limit.seconds * 1000 : Infinity;
  const runs = new Map<Check, CheckRun>();
  const written = new Writing();
  const schedule = {
    parallel: state.config.checkParallelism,
    goesOn: () => !signal.aborted && !written.failed && ports.clock.now() < end,
    run: async (check: Check) => {
      const ran = await runCheck(context, check, batch);
      written.add(recorded(context, ran).then((run) => void runs.set(check, run)));
    },
  };
  const left: Check[] = [];
  for (const stage of stagesOf(batch, state)) {
    const gates = batch.gated ? closedGates(withRuns(state, runs.values())) : [];
    const open = stage.filter((check) => !gateOf(check, gates));
    left.push(...(await inOrder(open, schedule)));
    await written.end();
  }
  if (limit && left.length > 0) ports.progress({ kind: 'note', text: `not run within ${limit.seconds} s: ${idsOf(left)}` });
  return checks.flatMap((check) => runs.get(check) ?? []);
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
function stagesOf({ checks, limit, gated }: Batch, { ledger }: State): Check[][] {
  const order = runOrder(checks, ledger.runs, limit?.first);
  if (!gated) return [order];
  const hard = [...new Set(order.filter(isHard).map(rankOf))];
  return [...hard.map((rank) => order.filter((c) => rankOf(c) === rank)), order.filter((c) => !isHard(c))];
}

function idsOf(checks: readonly Check[]): string {
  return checks.map(({ id }) => id).join(', ');
}

async function runCheck(context: Context, check: Check, batch: Batch): Promise<Recording> {
  const first = await execute(context, check, batch);
  const again = isGreen(first) || first.timedOut || isTriedOut(check, batch) ? undefined : await execute(context, check, batch);
  const verdict = isGreen(first) ? 'green' : again && isGreen(again) ? 'flaky' : 'red';
  return { check, batch, verdict, done: first, told: tell(context.state.work, check, first) };
}

/** A suite on the base commit: one red run there is enough to leave it out. */
function isTriedOut({ guard }: Check, { where }: Batch): boolean {
  return guard !== undefined && where === 'revert';
}

async function recorded(context: Context, ran: Recording): Promise<CheckRun> {
  const run = await record(context, ran);
  const { check, verdict, done } = ran;
  context.ports.progress({ kind: 'check', id: check.id, verdict, duration: done.duration });
  return run;
}

async function execute(context: Context, check: Check, { at, where }: Batch): Promise<Finished> {
  if (check.guard) return runSuite(context, check, { guard: check.guard, where });
  const { state, ports, signal } = context;
  const script = await ports.payloads.get(check.script);
  const run = { script, ext: check.ext, name: check.id.replace('/', '-') };
  const services = requiredBy(state.work, check);
  const job = { run, at, timeout: check.timeout, network: state.config.network === 'all' };
  return ports.runner.run(services.length === 0 ? job : { ...job, services }, signal);
}

/** The exit status is the verdict, never printed words (I8). */
function isGreen({ exit, timedOut }: Finished): boolean {
  return exit === 0 && !timedOut;
}

interface Recording {
  check: Check;
  batch: Batch;
  verdict: CheckRun['verdict'];
  done: Pick<Finished, 'exit' | 'timedOut' | 'duration' | 'output' | 'reports' | 'root'>;
  told: Told;
}

async function record({ state, ports }: Context, { check, batch, verdict, done, told }: Recording): Promise<CheckRun> {
  const { exit, timedOut, duration } = done;
  const facts = { exit, timedOut, output: told.own };
  const kind = verdict === 'green' ? undefined : told.isDead ? 'service_down' : classify(facts);
  const cases = told.isDead ? undefined : casesOf({ ...done, output: told.own }, verdict !== 'green');
  const whole = kind ? told.whole : done.output;
  return {
    check: check.id,
    lineage: check.lineage,
    script: check.script,
    n: (state.ledger.runs[check.lineage]?.length ?? 0) + 1,
    where: batch.where,
    code: batch.code,
    exit,
    timedOut,
    duration: Math.round(duration),
    output: await ports.payloads.put(whole),
    excerpt: excerptOf({ own: told.own, whole }, 4000),
    verdict,
    redSeen: check.red !== '' && done.output.includes(check.red),
    ...(kind ? { kind } : {}),
    summary: kind ? summarize(facts, kind, cases) : '',
    signature: kind ? signature(facts, kind, cases) : '',
    ...(cases ? { cases: await keep(ports, cases) } : {}),
  };
}

async function keep({ payloads }: Context['ports'], cases: Cases): Promise<CaseSummary> {
  return summaryOfCases(cases, await payloads.put(JSON.stringify(cases.cases)));
}

/** A check whose service is known to be down where it would run: red, without being run. */
export async function deadRun(
  context: Context,
  { check, probe, batch }: { check: Check; probe: ServiceProbe; batch: Batch },
): Promise<CheckRun> {
  const told = toldDead(probe, await context.ports.payloads.get(probe.output));
  const done = { exit: null, timedOut: false, duration: 0, output: '' };
  return record(context, { check, batch, verdict: 'red', done, told });
}
