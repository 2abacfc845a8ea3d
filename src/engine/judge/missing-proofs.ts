/** Which proofs a green verification still lacks, and whether a task waits for one, so that nobody need build it again. */
import { coveredTasks, liveScripts, speaksOf } from '../state/covers.ts';
import { canBurn } from '../state/fuel.ts';
import type { State } from '../state/state.ts';
import { isOpen, type Task } from '../work/task.ts';
import type { Proof, Script } from '../work/verification.ts';
import { coveringCommits, keptFromRed, proofsOf, proofTank, trustOf, untriedMutants } from './trust.ts';
import { isUnsettled, waitsForInstall } from './unsettled.ts';

export const proofKinds: readonly Proof['kind'][] = ['control', 'revert', 'mutants', 'offered'];

/** Proofs that a green verification may still need, in the order in which they are tried. */
export function missingProofs(state: State, verification: Script): Proof['kind'][] {
  const { work, ledger } = state;
  const result = work.results[verification.id];
  if (result?.verdict !== 'green' || result.code !== work.tree.code) return [];
  const open = coveredTasks(work, verification).filter(isOpen);
  if (open.length > 0 && !open.some((task) => mayBeShown(state, task, verification))) return [];
  if (isUnsettled(state, verification, 'revert')) return [];
  const tried = proofsOf(state, verification);
  if (tried.some((p) => p.kind === 'control' && p.outcome === 'not-red')) return [];
  const { trusted } = trustOf(state, verification);
  return proofKinds
    .filter((kind) => kind === 'control' || !trusted)
    .filter((kind) => kind !== 'offered' || untriedMutants(state, verification).length > 0)
    .filter((kind) => !tried.some((p) => p.kind === kind) && canBurn(ledger, [proofTank(verification, kind)]));
}

/** It was reported, and none of its attempts changed anything: work that was taken back has to be done again, whatever is green. */
export function foundNothingToDo({ ledger }: State, { id, report }: Task): boolean {
  return report !== undefined && !ledger.undone.some(({ change: { author } }) => author.kind === 'task' && author.task === id);
}

/** It was reported, and what would show it done waits for an install or for its proof: another attempt would tell as little. */
export function rests(state: State, task: Task): boolean {
  const isKept = liveScripts(state.work).some((one) => speaksOf(one, task) && waitsForInstall(state, one));
  return task.report !== undefined && (isKept || waitsForProof(state, task));
}

/** A builder found nothing to do, and only a proof can show it done. */
function waitsForProof(state: State, task: Task): boolean {
  return liveScripts(state.work).some((one) => speaksOf(one, task) && mayBeShown(state, task, one) && missingProofs(state, one).length > 0);
}

/** Other work did it, as it seems, and the machine kept the verification from being red before. */
function mayBeShown(state: State, task: Task, verification: Script): boolean {
  return foundNothingToDo(state, task) && keptFromRed(state, verification) && coveringCommits(state, verification).length > 0;
}
