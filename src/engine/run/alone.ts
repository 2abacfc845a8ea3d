/**
 * Looks again at a run whose red may be the machine's: alone, on a calm enough machine if that comes in time, and with a
 * multiple of its time. Only what is red then too, twice, is red. Each look burns a tank of its own (docs/termination-tanks.md).
 */
import { lastGreen } from '../judge/last-green.ts';
import { wasGreen } from '../judge/trust.ts';
import { lookTank } from '../judge/unsettled.ts';
import { isCalm, isGreen, machineWords, mayBeMachine, silentHost, verdictOfLooks, type Look } from '../judge/verdict.ts';
import type { State } from '../state/state.ts';
import { looksNeeded } from '../state/tanks.ts';
import type { Finished, Job, Pressure } from '../work/job.ts';
import type { Run, Runnable } from '../work/verification.ts';
import type { Ground } from './ground.ts';
import { prepared } from './prepared.ts';
import { runOnce, type Where } from './run-once.ts';

/** What is recorded of a run. */
export interface Judged {
  /** The evidence for the verdict. */
  done: Finished;
  verdict: Run['verdict'];
  /** How often it was looked at alone. */
  looks?: number;
  /** Why there is no result. */
  why?: string;
}

/** A run alone may take this many times as long. */
export const patience = 3;

export interface Again extends Where {
  /** How many times its timeout a look may take. */
  patience: number;
  /** What else the job of a script says. */
  job?: Pick<Job, 'alike' | 'files'> | undefined;
}

/** @param first the run beside others. Must be called while nothing else of Loop runs. */
export async function lookAlone(ground: Ground, verification: Runnable, where: Again, first: Finished): Promise<Judged> {
  const looks: (Look & { done: Finished })[] = [];
  while (looks.length < looksNeeded && !isDecided(looks) && (await mayLook(ground, verification, where.where))) {
    const before = await untilCalm(ground, verification.timeout);
    if (silentHost(looks.at(-1)?.done ?? first) !== undefined) await ground.ports.clock.sleep(hostPause, ground.signal);
    looks.push({ before, done: await runOnce(ground, verification, where, { ...where.job, patience: where.patience }) });
    if (ground.signal.aborted) break;
  }
  const verdict = verdictOfLooks(looks);
  const evidence = (looks.find(({ done }) => isGreen(done) === (verdict === 'green')) ?? { done: first }).done;
  const judged = { done: evidence, verdict, looks: looks.length };
  if (verdict === 'none') return { ...judged, why: whyNone(first, looks.length) };
  if (verdict === 'red' && (await wasAlwaysSo(ground, verification, where, evidence)))
    return { ...judged, verdict: 'none', why: `${machineWords(evidence)}, and so it did on the commit before, where it was green` };
  return judged;
}

/** Green, or red by itself: then no second look is needed, except to tell a flake. */
function isDecided(looks: readonly Look[]): boolean {
  return looks.some(({ done }) => isGreen(done));
}

/** Burns one look. By hand nothing is journaled, and `looksNeeded` is limit enough. */
async function mayLook(ground: Ground, verification: Runnable, where: Run['where']): Promise<boolean> {
  if (!ground.beginLook) return true;
  return ground.beginLook(lookTank(ground.state, verification, where), `look at ${verification.id} alone`);
}

/** Milliseconds in which a host may come back that did not answer. */
const hostPause = 20_000;
/** Seconds that a look waits at most for a calm machine; never longer than the run itself may take. */
const longestWait = 60;
/** Milliseconds between two looks at the machine. */
const pause = 2000;

export async function untilCalm({ ports: { runner, clock }, signal }: Ground, seconds: number): Promise<Pressure> {
  const end = clock.now() + Math.min(seconds, longestWait) * 1000;
  for (;;) {
    const now = runner.pressure?.() ?? {};
    if (isCalm(now) || clock.now() >= end || signal.aborted) return now;
    await clock.sleep(pause, signal);
  }
}

function whyNone(first: Finished, looks: number): string {
  const words = looks < looksNeeded ? 'and too few looks at it alone were left' : 'also alone, on a machine that was not calm';
  return `${machineWords(first)}, ${words}`;
}

/**
 * Once green, now red as the machine may cause it: whether it ends like this on the commit where it was green, too. Then it is
 * not the work that changed.
 */
async function wasAlwaysSo(ground: Ground, verification: Runnable, { where }: Where, end: Finished): Promise<boolean> {
  const { state } = ground;
  if (where !== 'tree' || !mayBeMachine(end) || !wasGreen(state, verification)) return false;
  const since = laterCommits(state, verification);
  // A suite makes its own checkout, and only of the last commit.
  if (verification.kind === 'suite' && (since.length > 0 || !state.work.tree.change)) return false;
  if (!(await mayLook(ground, verification, where))) return false;
  const seed = end.seed === undefined ? {} : { seed: end.seed };
  const before = await prepared(ground, { revert: since }, (at) =>
    runOnce(ground, verification, { at, where: 'clean' }, { ...seed, patience }),
  );
  return !isGreen(before) && (mayBeMachine(before) || before.lacks !== undefined);
}

/** Commits after the one where it was last green, newest first. */
function laterCommits(state: State, verification: Runnable): string[] {
  const green = lastGreen(state, verification) ?? 0;
  return state.work.tree.commits
    .filter(({ code }) => code > green)
    .map(({ commit }) => commit)
    .reverse();
}
