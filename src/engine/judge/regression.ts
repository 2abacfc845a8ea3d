/**
 * Whether a change broke something that was green, and what must run to tell: first what covers the change, then what
 * was green, then all others, so that each gets a result on the new code, but what is slow and waits for its task.
 */
import { coveredTasks, liveRunnable } from '../state/covers.ts';
import type { State } from '../state/state.ts';
import { isExternal } from '../services/external.ts';
import { dependants, probeOf, servicesOf } from '../services/services.ts';
import { serviceLineage, type ServiceProbe } from '../work/service.ts';
import { isHard } from '../work/tier.ts';
import { authorWords, lineagesOf, type Change } from '../work/tree.ts';
import { requiresOf, type Run, type Runnable } from '../work/verification.ts';
import { barriersOf } from './barriers.ts';
import { waitsForItsTask } from './ready-tasks.ts';
import { wasGreen } from './trust.ts';

/** Verifications to run, and those of them that run first. */
export interface Selection {
  verifications: readonly Runnable[];
  first: readonly Runnable[];
}

/** Probes and runs on the tree of an open change. */
export interface Findings {
  probes: ServiceProbe[];
  runs: Run[];
}

/** Verifications that cover the change or were green. The covering ones run first, since the change was made for them. */
export function concernedBy({ author }: Pick<Change, 'author'>, state: State): Selection {
  const { work } = state;
  const covers = (verification: Runnable): boolean =>
    author.kind === 'task'
      ? coveredTasks(work, verification).some((task) => task.id === author.task)
      : lineagesOf(author).some((l) => l === verification.lineage || requiresOf(verification).map(serviceLineage).includes(l));
  const verifications = liveRunnable(work).filter((one) => wasGreen(state, one) || covers(one));
  return { verifications, first: verifications.filter(covers) };
}

/** All others: they do not judge the change, but run on the same tree. None if a hard tier may hold them back; then `run-verifications` decides. */
export function othersThan({ probes, runs }: Findings, state: State): Selection {
  const known = new Map(runs.map((run) => [run.verification, run.verdict]));
  const dead = probes.filter((probe) => !probe.up).map((probe) => probe.name);
  const all = liveRunnable(state.work);
  const mayHoldBack = barriersOf(state).length > 0 || all.some((one) => isHard(one) && known.get(one.id) === 'red');
  const left = all.filter(
    (one) => !known.has(one.id) && !requiresOf(one).some((name) => dead.includes(name)) && !waitsForItsTask(state, one),
  );
  return { verifications: mayHoldBack ? [] : left, first: [] };
}

export interface Regression {
  /** Ids of verifications that were green and now fail or cannot run. */
  broke: string[];
  /** Who broke them, and how. */
  why: string;
}

export function regressionOf({ author }: Pick<Change, 'author'>, { probes, runs }: Findings, state: State): Regression {
  const red = runs
    .filter((run) => run.verdict === 'red' && wasOnceGreen(state, run) && isGreenWithout(state, run) && !isOfText(state, run))
    .map((run) => run.verification);
  const killed = probes.flatMap((probe) => killedBy(state, probe));
  const broke = [...new Set([...red, ...killed.flatMap(({ verifications }) => verifications)])];
  const how = killed.map(({ probe: { name, why } }) => `; service ${name} is down: ${why}`).join('');
  return { why: `${authorWords(author)} broke ${broke.join(', ')}${how}`, broke };
}

/** A service that the change killed, with the green verifications that cannot run now. One that was down before proves nothing. */
function killedBy(state: State, probe: ServiceProbe): { probe: ServiceProbe; verifications: string[] }[] {
  const service = servicesOf(state.work).find((s) => s.name === probe.name);
  if (probe.up || probe.machine || !service || isExternal(service) || probeOf(state, service.name)?.up === false) return [];
  const verifications = dependants(state, service)
    .filter((one) => wasGreen(state, one))
    .map((one) => one.id);
  return verifications.length > 0 ? [{ probe, verifications }] : [];
}

/** What is red or flaky without the change, or has no result there, no change broke. The base commit is what a suite was green on. */
function isGreenWithout({ work }: State, { verification }: Run): boolean {
  const { code = 0, verdict = 'green' } = work.results[verification] ?? {};
  return code === work.tree.code && verdict === 'green';
}

/** A linter's complaint is mended: to build all of it again for one would cost far more. */
function isOfText({ work }: State, { verification }: Run): boolean {
  const suite = work.verifications[verification];
  return suite?.kind === 'suite' && suite.check === true;
}

function wasOnceGreen(state: State, run: Run): boolean {
  const verification = state.work.verifications[run.verification];
  return verification !== undefined && wasGreen(state, verification);
}
