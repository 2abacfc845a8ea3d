/**
 * What hidden verifications want and tell (docs/decisions/0031). At `strong`, a requirement that a script proves counts only while
 * a hidden one, by a second QC, is green as well.
 */
import { liveScripts } from '../state/covers.ts';
import type { Tank } from '../state/events.ts';
import { canBurn, left, tank } from '../state/fuel.ts';
import type { State } from '../state/state.ts';
import { isOpen } from '../work/task.ts';
import type { Run, Script } from '../work/verification.ts';
import { looksNeeded } from '../state/tanks.ts';
import { trustOf } from './trust.ts';
import { lookTank } from './unsettled.ts';
import { mostCleanRuns } from './verdict.ts';

/** The tank that one session about a requirement's hidden verification burns. */
export function hiddenTank(requirement: string): Tank {
  return tank('hidden', requirement);
}

/** The latest script of each lineage, where it proves what the documents ask for now. */
export function liveHidden({ ledger }: State): Script[] {
  return [...new Map(ledger.hidden.scripts.map((one) => [one.lineage, one])).values()].filter(({ prd }) => prd.length > 0);
}

/** Its latest run on this code; undefined where it has no result, or one from an older world that may have been red for that. */
export function hiddenRun(state: State, { lineage, script }: Script): Run | undefined {
  const { work, ledger } = state;
  const run = ledger.hidden.runs.findLast((one) => one.lineage === lineage && one.script === script && one.code === work.tree.code);
  if (!run || run.verdict === 'none') return undefined;
  // A flake gets one more clean checkout, as any does.
  if (run.verdict === 'flaky' && runsOn(state, { lineage, script }).length < mostCleanRuns) return undefined;
  return run.verdict === 'green' || run.world === ledger.world ? run : undefined;
}

function runsOn({ work, ledger }: State, { lineage, script }: Pick<Script, 'lineage' | 'script'>): Run[] {
  return ledger.hidden.runs.filter((one) => one.lineage === lineage && one.script === script && one.code === work.tree.code);
}

/** The machine kept it from a result, and nothing looks again before a resume. */
function isKept(state: State, verification: Script): boolean {
  const last = runsOn(state, verification).at(-1);
  return last?.verdict === 'none' && left(state.ledger, lookTank(state, verification, 'clean')) < looksNeeded;
}

/** What another try at those burns that the machine kept from a result. */
export function keptHidden(state: State): Tank[] {
  return withoutResult(state).flatMap(({ verification, burns }) => (isKept(state, verification) ? [burns] : []));
}

/** Those without a result on this code, and the tank that a run burns. */
export function unrunHidden(state: State): { verification: Script; burns: Tank }[] {
  return withoutResult(state).filter(({ verification }) => !isKept(state, verification));
}

function withoutResult(state: State): { verification: Script; burns: Tank }[] {
  if (!isAskedFor(state)) return [];
  const { code } = state.work.tree;
  return liveHidden(state)
    .filter((verification) => !hiddenRun(state, verification))
    .map((verification) => ({ verification, burns: tank('run', `${verification.lineage}@${code}/${verification.script.slice(0, 8)}`) }));
}

/** Requirements for which a second QC has to write one, and those that failed, which it has to look at. None while work is open. */
export function hiddenWork(state: State): { unwritten: string[]; failed: Script[] } {
  if (!isAskedFor(state) || Object.values(state.work.tasks).some(isOpen)) return { unwritten: [], failed: [] };
  const wanted = state.work.requirements.filter(({ id }) => isProvenByScript(state, id) && hiddenOf(state, id).length === 0);
  return {
    unwritten: wanted.map(({ id }) => id),
    failed: liveHidden(state).filter((one) => isFailing(state, one) && !isTold(state, one)),
  };
}

/** Whether those who wrote it may still look at it. */
export function canReview({ ledger }: State, { prd }: Script): boolean {
  return canBurn(ledger, prd.map(hiddenTank));
}

/** Exactly this script is red, and no builder was told of it yet. */
export function isUntoldRed(state: State, verification: Script): boolean {
  const isLive = liveHidden(state).some(({ script }) => script === verification.script);
  return isLive && hiddenRun(state, verification)?.verdict === 'red' && !isTold(state, verification);
}

/** Why a requirement does not count although its other proofs do, as the middle of a sentence; undefined where it counts. */
export function hiddenProblem(state: State, requirement: string): string | undefined {
  if (!isAskedFor(state)) return undefined;
  const hidden = hiddenOf(state, requirement);
  if (hidden.length === 0) return 'nobody wrote a hidden verification of it';
  for (const one of hidden) {
    const verdict = hiddenRun(state, one)?.verdict;
    if (verdict === undefined) return 'its hidden verification has no result on the final tree';
    if (verdict === 'red') return `a hidden verification of it fails: ${one.title}`;
    if (verdict === 'flaky') return `a hidden verification of it is red and green by turns: ${one.title}`;
  }
  return undefined;
}

/** A sprint that began before there were hidden verifications has no fuel for them, and ends by its old rule. */
function isAskedFor({ config, ledger }: State): boolean {
  return config.evidence === 'strong' && (ledger.sizes.hidden ?? 0) > 0;
}

function hiddenOf(state: State, requirement: string): Script[] {
  return liveHidden(state).filter(({ prd }) => prd.includes(requirement));
}

function isFailing(state: State, verification: Script): boolean {
  const verdict = hiddenRun(state, verification)?.verdict;
  return verdict === 'red' || verdict === 'flaky';
}

export function isTold({ ledger }: State, { lineage, script }: Script): boolean {
  return ledger.hidden.told.some((one) => one.lineage === lineage && one.script === script);
}

/** A criterion has none: an evaluation says whether it is met. */
function isProvenByScript(state: State, requirement: string): boolean {
  const { results, tree } = state.work;
  return liveScripts(state.work).some(
    (one) =>
      one.prd.includes(requirement) &&
      results[one.id]?.verdict === 'green' &&
      results[one.id]?.code === tree.code &&
      trustOf(state, one).trusted,
  );
}
