/**
 * Verifications that the machine kept from a result, although they were looked at alone. Nobody mends or takes back anything
 * for them. They run again on new code, or after a resume, as long as there is fuel.
 */
import { coveredTasks, liveRunnable } from '../state/covers.ts';
import { left, tank } from '../state/fuel.ts';
import type { Tank } from '../state/events.ts';
import { looksNeeded } from '../state/tanks.ts';
import type { State } from '../state/state.ts';
import type { Run, Runnable } from '../work/verification.ts';
import { runsOf, wasGreen } from './trust.ts';

/** The tank of looks at one text of a verification, on one code or open change. A resume, which burns fuel, opens another. */
export function lookTank({ work: { tree }, ledger }: State, { lineage, script }: Runnable, where: Run['where']): Tank {
  const code = tree.change ? `change ${tree.change.n}` : tree.code;
  return tank('look', `${lineage}@${code}/${script.slice(0, 8)}/${where}#${ledger.resumes}`);
}

/** Its last run on this code has no result, and not enough looks are left until something changes. */
export function isUnsettled(state: State, verification: Runnable, where: 'tree' | 'clean' = 'tree'): boolean {
  if (lastOn(state, verification, where)?.verdict !== 'none') return false;
  return left(state.ledger, lookTank(state, verification, where)) < looksNeeded;
}

/** Verifications that have no result on this code because of the machine, with the run that tells why. */
export function unsettled(state: State): { verification: Runnable; run: Run; where: 'tree' | 'clean' }[] {
  return liveRunnable(state.work).flatMap((verification) =>
    (['tree', 'clean'] as const).flatMap((where) => {
      const run = lastOn(state, verification, where);
      return run?.verdict === 'none' ? [{ verification, run, where }] : [];
    }),
  );
}

/** The tank that one run of a verification on this code burns. */
export function runTank({ work }: State, { id, script }: Runnable): Tank {
  return tank('run', `${id}@${work.tree.code}/${script.slice(0, 8)}`);
}

/** Red before its work is built: nobody is called for it, so nobody needs to know whether the machine caused it. */
export function isExpectedRed(state: State, verification: Runnable): boolean {
  return verification.kind === 'script' && !wasGreen(state, verification) && isUnbuilt(state, verification);
}

function isUnbuilt({ work }: State, verification: Runnable): boolean {
  return coveredTasks(work, verification).some(({ status }) => status === 'pending');
}

function lastOn(state: State, verification: Runnable, where: 'tree' | 'clean'): Run | undefined {
  return runsOf(state, verification).findLast((run) => run.where === where && run.code === state.work.tree.code);
}
