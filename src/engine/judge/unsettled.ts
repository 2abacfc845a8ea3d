/**
 * Verifications that the machine kept from a result, although they were looked at alone. Nobody mends or takes back anything
 * for them. They run again on new code, or after a resume, as long as there is fuel.
 */
import { liveRunnable, neededTasks } from '../state/covers.ts';
import { left, tank } from '../state/fuel.ts';
import type { Decision, Tank } from '../state/events.ts';
import { looksNeeded } from '../state/tanks.ts';
import type { State } from '../state/state.ts';
import type { Run, Runnable } from '../work/verification.ts';
import { probeOf, requiredBy } from '../services/services.ts';
import type { Probed } from '../work/service.ts';
import { installFault } from './install-fault.ts';
import { idleFixes } from '../state/world.ts';
import { currentResult, proofTank, runsOf, trustOf, untriedKinds, wasGreen } from './trust.ts';

/** The tank of looks at one text of a verification, on one code or open change. A resume, which burns fuel, opens another. */
export function lookTank({ work: { tree }, ledger }: State, { lineage, script }: Runnable, where: Run['where']): Tank {
  const code = tree.change ? `change ${tree.change.n}` : tree.code;
  return tank('look', `${lineage}@${code}/${script.slice(0, 8)}/${where}#${ledger.resumes}`);
}

/** Its last run has no result, and not enough looks are left until something changes. `revert`: for a proof that it lacks. */
export function isUnsettled(state: State, verification: Runnable, where: Run['where'] = 'tree'): boolean {
  if (lastOn(state, verification, where)?.verdict !== 'none' || (where === 'revert' && !needsMoreProof(state, verification))) return false;
  return left(state.ledger, lookTank(state, verification, where)) < looksNeeded;
}

/** In this world it has no result, or its service does not come up, because an install failed; only when that came can it have one. */
export function waitsForInstall(state: State, verification: Runnable): boolean {
  const { world } = state.ledger;
  if (!installFault(state)) return false;
  const last = lastOn(state, verification, 'tree');
  const isKeptDown = (probe: Probed | undefined): boolean => probe?.up === false && probe.machine === true && probe.world === world;
  return (
    (last?.verdict === 'none' && last.world === world) ||
    requiredBy(state.work, verification).some(({ name }) => isKeptDown(probeOf(state, name)))
  );
}

/** What has no result on this code because of the machine. */
export interface Unsettled {
  verification: Runnable;
  /** The run that tells why. */
  run: Run;
  /** Another try burns one of these. */
  again: Tank[];
}

export function unsettled(state: State): Unsettled[] {
  return liveRunnable(state.work).flatMap((verification) => unsettledOf(state, verification));
}

export function unsettledOf(state: State, verification: Runnable): Unsettled[] {
  return (['tree', 'clean', 'revert'] as const).flatMap((where) => {
    const run = lastOn(state, verification, where);
    if (!run || !isUnsettled(state, verification, where)) return [];
    return [{ verification, run, again: tanksOf(state, verification, where) }];
  });
}

function tanksOf(state: State, verification: Runnable, where: Run['where']): Tank[] {
  if (where === 'tree') return [runTank(state, verification)];
  if (where === 'clean') return [tank('final', 'clean-run')];
  return untriedKinds(state, verification).map((kind) => proofTank(verification, kind));
}

function needsMoreProof(state: State, verification: Runnable): boolean {
  const kinds = untriedKinds(state, verification);
  return kinds.includes('control') || (kinds.length > 0 && !trustOf(state, verification).trusted);
}

/**
 * The tank that one run of a verification on this code burns. What is stale runs again in each world, and after each fix that
 * found nothing to change; both are bounded themselves (docs/termination-tanks.md).
 */
export function runTank(state: State, verification: Runnable): Tank {
  const { work, ledger } = state;
  const { id, lineage, script } = verification;
  const last = lastOn(state, verification, 'tree');
  const isStale =
    (work.results[id]?.code === work.tree.code && !currentResult(state, verification)) ||
    (last?.verdict === 'none' && last.world !== ledger.world);
  const again = isStale ? `/${ledger.world}.${idleFixes(ledger, lineage).length}` : '';
  return tank('run', `${id}@${work.tree.code}/${script.slice(0, 8)}${again}`);
}

/** Whether the decision is for a run of it on this code, in whichever world it was made: an install in between makes another. */
export function isRunFor(decision: Decision, { work }: State, { id }: Runnable): boolean {
  return decision.burns.some(({ kind, key }) => kind === 'run' && key.startsWith(`${id}@${work.tree.code}/`));
}

/** Red before its work is built: nobody is called for it. */
export function isExpectedRed(state: State, verification: Runnable): boolean {
  return verification.kind === 'script' && !wasGreen(state, verification) && isUnbuilt(state, verification);
}

function isUnbuilt({ work }: State, verification: Runnable): boolean {
  return neededTasks(work, verification).some(({ status }) => status === 'pending');
}

function lastOn(state: State, verification: Runnable, where: Run['where']): Run | undefined {
  // A run of a proof counts for no code.
  const code = where === 'revert' ? null : state.work.tree.code;
  return runsOf(state, verification).findLast((run) => run.where === where && run.code === code);
}
