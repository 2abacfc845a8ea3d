/**
 * The last three steps on the tree that would be delivered (I7), in order of cost: all verifications in a clean checkout, a
 * fresh assessment, a fresh evaluation. In a small sprint the evaluation is the assessment too. Gaps become tasks as far as there
 * is fuel for new tasks. No agent mends a flake: it gets one more clean checkout, and is reported in any case.
 */
import type { Context } from '../context.ts';
import { cleanRunsOf, finalOf, notRunClean } from '../judge/ending.ts';
import { isOneLook } from '../judge/last-look.ts';
import { isUnsettled } from '../judge/unsettled.ts';
import { mostCleanRuns } from '../judge/verdict.ts';
import { tank } from '../state/fuel.ts';
import { factsIn, type State } from '../state/state.ts';
import { redBesideVerifications } from '../run/beside-verifications.ts';
import { runInCheckout } from '../run/in-checkout.ts';
import { liveRunnable, liveVerifications } from '../state/covers.ts';
import type { Verification } from '../work/verification.ts';
import type { Fact } from '../work/facts.ts';
import { isUnresolved } from '../work/human-action.ts';
import { isOpen } from '../work/task.ts';
import type { Action } from './action.ts';
import { installMissing } from './change.ts';
import { evaluate } from './critical-eval.ts';
import { tasksFor } from './gap-tasks.ts';
import { assess } from './vrc.ts';

export const final: Action = {
  id: 'final',
  asksModel: true,
  afterQualifying: true,
  due(state) {
    const part = isReady(state) ? missingPart(state) : undefined;
    // What the machine kept from a result runs again after a resume.
    if (liveRunnable(state.work).some((v) => isUnsettled(state, v, 'revert'))) return [];
    if (part === 'clean-run' && notRunClean(state).some((v) => isUnsettled(state, v, 'clean'))) return [];
    return part ? [{ target: part, burns: [tank('final', part)], why: `nothing is open; ${part} is missing on this code` }] : [];
  },
  async run(target, context) {
    if (target === 'clean-run') return cleanRun(context);
    const { state } = context;
    if (target === 'vrc') return [...(await assess(context, target)), ...tasksFor(state, 'vrc', finalOf(state).vrc)];
    const unreported = await evaluate(context, target);
    const { vrc, evaluation } = finalOf(state);
    return [...unreported, ...tasksFor(state, 'evaluation', evaluation, isAssessment(context) ? vrc : undefined)];
  },
};

/** By what the evaluation journaled: once it has reported, it seems to be no longer the only look. */
function isAssessment({ open }: Context): boolean {
  return factsIn(open).some(({ fact }) => fact === 'vrc.reported');
}

function isReady(state: State): boolean {
  const { work, ledger } = state;
  const verifications = liveVerifications(work);
  return (
    verifications.some((v) => v.kind !== 'suite') &&
    !Object.values(work.tasks).some(isOpen) &&
    !Object.values(ledger.humanActions).some(isUnresolved) &&
    verifications.every((v) => v.kind === 'criterion' || isGreenEnough(state, v))
  );
}

/** Green on this code, or flaky while one more clean checkout is left that may find it green. */
function isGreenEnough(state: State, verification: Verification): boolean {
  const result = state.work.results[verification.id];
  if (result?.code !== state.work.tree.code) return false;
  return result.verdict === 'green' || (result.verdict === 'flaky' && mayRunAgain(state, verification));
}

function mayRunAgain(state: State, verification: Verification): boolean {
  return cleanRunsOf(state, verification).length < mostCleanRuns;
}

/** Verifications that flaked in a clean checkout, or are green since on the same code, and may run in another one. */
function secondLook(state: State): Verification[] {
  const { red = [], flaky = [] } = finalOf(state).clean ?? {};
  const verificationsOf = (ids: readonly string[]): Verification[] => ids.flatMap((id) => state.work.verifications[id] ?? []);
  const failed = verificationsOf(red);
  if (!failed.every((one) => isGreenSince(state, one))) return [];
  return [...verificationsOf(flaky), ...failed].filter((verification) => mayRunAgain(state, verification));
}

/** It was red in a clean checkout, and then green in the worktree, where nothing was changed. */
function isGreenSince(state: State, verification: Verification): boolean {
  const result = state.work.results[verification.id];
  return result?.verdict === 'green' && result.n > (cleanRunsOf(state, verification).at(-1)?.n ?? 0);
}

function missingPart(state: State): string | undefined {
  const { clean, vrc, evaluation } = finalOf(state);
  if (!clean || secondLook(state).length > 0) return 'clean-run';
  if ((!vrc || vrc.fallback) && !isOneLook(state)) return 'vrc';
  return !evaluation || evaluation.fallback ? 'evaluation' : undefined;
}

/** A fresh checkout, prepared as the worktree was: commit, supplied inputs, dependencies. */
async function cleanRun(context: Context): Promise<Fact[]> {
  const { state } = context;
  const { code } = state.work.tree;
  await installMissing(context);
  const runs = await runInCheckout(context, { verifications: liveRunnable(state.work), where: 'clean', code });
  const green = new Set(runs.flatMap(({ verdict, verification }) => (verdict === 'green' ? [verification] : [])));
  const suites = liveVerifications(state.work).flatMap((one) => (one.kind === 'suite' && green.has(one.id) ? [one] : []));
  const redBeside = await redBesideVerifications(context, suites);
  const clean = { code, why: whyClean(state), ...(redBeside.length > 0 ? { redBeside } : {}) };
  return [...runs.map((run): Fact => ({ fact: 'verification.ran', run })), { fact: 'clean.ran', clean }];
}

function whyClean(state: State): string {
  const { work, ledger } = state;
  if (!ledger.assessments.cleanRuns.some(({ code }) => code === work.tree.code)) return 'the first look at it';
  const idsOf = (verifications: Verification[]): string => verifications.map(({ id }) => id).join(', ');
  const notRun = notRunClean(state);
  if (notRun.length > 0) return `one more look, since ${idsOf(notRun)} did not run in the others as it is now`;
  const again = secondLook(state);
  const green = again.filter((one) => isGreenSince(state, one) && cleanRunsOf(state, one).at(-1)?.verdict === 'red');
  return green.length > 0
    ? `one more look, since ${idsOf(green)} was red in it, and is green since where nothing was changed`
    : `one more look, since ${idsOf(again)} flaked`;
}
