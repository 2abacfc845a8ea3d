/**
 * How a sprint ended: a pure function of the state that no action can set (I7). It is `delivered` only if there is no reason
 * against it. Each reason is a sentence of the report.
 */
import { canBurn, spentOf, tank } from '../state/fuel.ts';
import { isOutOfTime } from '../state/hours.ts';
import type { Ending, State } from '../state/state.ts';
import { concerns, isObservable, isUnresolved } from '../work/human-action.ts';
import { isOpen } from '../work/task.ts';
import { mustMend } from '../work/assessment.ts';
import { barriersOf, barrierOf } from './barriers.ts';
import { whyContradicted } from './contradicted.ts';
import { counted, sentence, withoutFullStop } from '../ground/text.ts';
import { dependants, downServices, downFor, keptDown, waitWords } from '../services/services.ts';
import { proofsOf, proofTank, runsOf, trustOf, type Trust } from './trust.ts';
import { pointPlace, rejected } from './open-points.ts';
import { hiddenProblem, keptHidden } from './hidden.ts';
import { heeded } from './heeded.ts';
import { shortOfEvidence, type Strength } from './strength.ts';
import { runTank, unsettled, unsettledOf, waitsForInstall } from './unsettled.ts';
import { installFault } from './install-fault.ts';
import { installWords } from '../work/install.ts';
import { liveRunnable, liveVerifications } from '../state/covers.ts';
import { requirementsOf, type Run, type Runnable, type Verification } from '../work/verification.ts';
import type { Requirement } from '../work/requirement.ts';
import { outdated } from '../work/revision.ts';

/** @param covered result of `coverage`, if it is known already. */
export function ending(state: State, covered: readonly Covered[] = coverage(state)): Ending {
  const reasons = [...unqualified(state), ...uncovered(state, covered), ...unfinished(state), ...unjudged(state), ...foundWrong(state)];
  if (reasons.length === 0) return { stop: 'delivered', reasons };
  if (isWaiting(state) || (waitsForMachine(state) && !isOutOfTime(state.ledger))) return { stop: 'waiting', reasons };
  if (state.ledger.budgetReached) return { stop: 'out-of-budget', reasons: [state.ledger.budgetReached, ...reasons] };
  return { stop: hasTrustedGreen(state) ? 'partial' : 'failed', reasons };
}

/** The reasons that are neither a requirement's nor a finding's: what was not done, and what nobody looked at. */
export function whatIsOpen(state: State): string[] {
  return whyNotBegun(state) ?? [...unfinished(state), ...unjudged(state)];
}

/** Before a settled plan there is nothing to prove, so these reasons say all; undefined where there is such a plan. */
export function whyNotBegun(state: State): string[] | undefined {
  const before = unqualified(state);
  return before.length > 0 ? [...before, ...unanswered(state)] : undefined;
}

/** What waits for the person can still be answered; or their answers are used up, but the engine would notice the deed by itself. */
function isWaiting(state: State): boolean {
  const { ledger } = state;
  const canAnswer = canBurn(ledger, [tank('wait')]);
  return canBurn(ledger, [tank('sprint')]) && heeded(state).some((humanAction) => canAnswer || isObservable(humanAction));
}

/** The machine kept something from a result, and there is fuel to look again after a resume. */
function waitsForMachine(state: State): boolean {
  const { ledger } = state;
  if (!canBurn(ledger, [tank('sprint')])) return false;
  const again = unsettled(state).flatMap((one) => one.again);
  const behind = keptDown(state).flatMap((probe) => dependants(state, probe).map((v) => runTank(state, v)));
  return [...again, ...behind, ...keptHidden(state)].some((one) => canBurn(ledger, [one]));
}

/** At least one trusted verification or criterion is green on the kept tree (exit 2 rather than 1). */
export function hasTrustedGreen(state: State): boolean {
  return liveVerifications(state.work).some((verification) => isCounted(state, verification));
}

/** A requirement, and the verification that currently proves it, if there is one, with as much evidence as the sprint asks for. */
export interface Covered {
  readonly requirement: Requirement;
  readonly provenBy: Verification | undefined;
}

export function coverage(state: State): Covered[] {
  const verifications = liveVerifications(state.work);
  return state.work.requirements.map((requirement) => ({
    requirement,
    provenBy: verifications.find(
      (v) => requirementsOf(v).includes(requirement.id) && isProven(state, v) && hasEvidence(state, requirement.id, v),
    ),
  }));
}

/** Trusted and green, or met with evidence, on the kept tree. */
export function isCounted(state: State, verification: Verification, trust: Trust = trustOf(state, verification)): boolean {
  const { work } = state;
  if (verification.kind === 'criterion') return isMet(state, verification);
  const result = work.results[verification.id];
  return result?.verdict === 'green' && result.code === work.tree.code && trust.trusted;
}

/** Its scripts see as much as the sprint asks for, and hidden ones agree; a criterion speaks for itself. @param known as `shortOfEvidence`. */
export function hasEvidence(state: State, requirement: string, { kind }: Pick<Verification, 'kind'>, known?: Strength): boolean {
  return kind === 'criterion' || (shortOfEvidence(state, requirement, known) ?? hiddenProblem(state, requirement)) === undefined;
}

/** Counted, put to its control, and green in the clean checkout too. */
export function isProven(state: State, verification: Verification, trust: Trust = trustOf(state, verification)): boolean {
  if (!isCounted(state, verification, trust)) return false;
  if (verification.kind === 'criterion') return true;
  return isControlled(state, verification) && cleanRunsOf(state, verification).at(-1)?.verdict === 'green';
}

/** The machine may keep every try of a control from a result. A sprint that is older than the control never tried one. */
function isControlled(state: State, verification: Verification): boolean {
  const isTried = spentOf(state.ledger, proofTank(verification, 'control')) > 0;
  return !isTried || proofsOf(state, verification).some((proof) => proof.kind === 'control');
}

function isMet(state: State, verification: Verification): boolean {
  const { evaluation } = finalOf(state);
  const verdict = evaluation?.fallback === false ? evaluation.criteria.find((c) => c.verification === verification.id) : undefined;
  return verdict?.met === true && verdict.evidence.trim() !== '';
}

/** The latest results of the three final parts for the kept tree. */
export function finalOf(state: State) {
  const { code } = state.work.tree;
  const { vrcs, evaluations } = state.ledger.assessments;
  const before = outdated(state.ledger.revisions);
  return {
    clean: cleanOf(state),
    vrc: vrcs.slice(before.vrcs).findLast((vrc) => vrc.code === code && vrc.scope === 'final'),
    evaluation: evaluations.slice(before.evaluations).findLast((e) => e.code === code && e.scope !== 'work'),
  };
}

/** Runs of exactly this script in clean checkouts of the kept tree, without those that have no result. */
export function cleanRunsOf(state: State, verification: Verification): Run[] {
  return runsOf(state, verification).filter((run) => run.where === 'clean' && run.verdict !== 'none' && run.code === state.work.tree.code);
}

/** Live verifications whose current script has not run in a clean checkout of the kept tree. */
export function notRunClean(state: State): Runnable[] {
  return liveRunnable(state.work).filter((v) => cleanRunsOf(state, v).length === 0);
}

/** Ids of the live verifications by their verdict in clean checkouts of the kept tree. */
export interface CleanResult {
  green: string[];
  red: string[];
  /** Red, then green, in one checkout. */
  flaky: string[];
  /** Why the latest clean run was made; empty in old journals. */
  why: string;
}

/** Undefined until every live verification ran in one with its current script. */
function cleanOf(state: State): CleanResult | undefined {
  const { work, ledger } = state;
  const last = ledger.assessments.cleanRuns.findLast(({ code }) => code === work.tree.code);
  if (!last || notRunClean(state).length > 0) return undefined;
  const idsWith = (verdict: Run['verdict']): string[] =>
    liveVerifications(work)
      .filter((v) => cleanRunsOf(state, v).at(-1)?.verdict === verdict)
      .map((v) => v.id);
  return { green: idsWith('green'), red: idsWith('red'), flaky: idsWith('flaky'), why: last.why };
}

function unqualified(state: State): string[] {
  const { work } = state;
  const review = rejected(state);
  if (review) {
    const points = review.points
      .filter(({ weight }) => weight === 'HARD')
      .map((one) => `${pointPlace(one)}: ${withoutFullStop(one.wrong)}`);
    const why = [withoutFullStop(review.why), ...points].join('; ');
    return [`The documents were rejected before anything was planned: ${why}. Change them, and begin anew.`];
  }
  if (work.requirements.length === 0) return ['No requirement was read.'];
  return work.gates.includes('plan') ? [] : ['The work was never qualified: there is no settled plan.'];
}

function uncovered(state: State, covered: readonly Covered[]): string[] {
  return covered
    .filter(({ provenBy }) => !provenBy)
    .map(
      ({ requirement: { id, title } }) =>
        `Requirement ${id} (${withoutFullStop(title)}) is not proven: ${withoutFullStop(whyNotProven(state, id))}.`,
    );
}

/** As the middle of a sentence. */
export function whyNotProven(state: State, requirementId: string): string {
  const candidates = liveVerifications(state.work).filter((v) => requirementsOf(v).includes(requirementId));
  const [first] = candidates;
  if (!first) return 'no verification covers it';
  if (first.kind === 'criterion') return whyNotMet(state, first);
  const dead = downFor(state, first);
  if (dead) return `${first.id} ${waitWords(dead)}`;
  const result = state.work.results[first.id];
  const trust = trustOf(state, first);
  const [{ run } = {}] = unsettledOf(state, first);
  if (run && (run.where === 'clean' || result?.code !== state.work.tree.code)) return `${first.id} is not settled: the machine`;
  if (result?.code !== state.work.tree.code) {
    const barrier = barrierOf(first, barriersOf(state));
    return `${first.id} ${result ? 'was not run on the final tree' : 'never ran'}${barrier ? `: ${barrier.id} is broken, and holds it back` : ''}`;
  }
  if (result.verdict !== 'green') return `${first.id} is ${result.verdict}`;
  if (!trust.trusted) return `${first.id} is green but not trusted: ${trust.why}`;
  const short = shortOfEvidence(state, requirementId);
  if (short !== undefined) return short;
  if (!isControlled(state, first) && cleanRunsOf(state, first).length > 0)
    return `${first.id} is green and was red, but its control has no result: the machine`;
  const hidden = hiddenProblem(state, requirementId);
  if (hidden !== undefined) return hidden;
  return cleanRunsOf(state, first).length > 0
    ? `${first.id} was not green in a clean checkout`
    : `${first.id} is green and trusted, but did not run in a clean checkout yet`;
}

function whyNotMet(state: State, { id, title }: Verification): string {
  const { evaluation } = finalOf(state);
  const verdict = evaluation?.criteria.find((c) => c.verification === id);
  if (!verdict || evaluation?.fallback) return `no evaluation of the final tree judged "${title}"`;
  return `"${title}" was judged ${verdict.met ? 'met without evidence' : `not met: ${verdict.evidence}`}`;
}

function unfinished(state: State): string[] {
  const { work, ledger } = state;
  const open = Object.values(work.tasks)
    .filter(isOpen)
    .map((t) => `Task ${t.id} is not settled: ${withoutFullStop(t.setback ?? t.reopened ?? t.description)}.`);
  const descoped = Object.values(work.tasks)
    .filter((t) => t.status === 'descoped' && !t.replacedBy && !ledger.skipped.includes(t.id))
    .filter((t) => !Object.values(ledger.humanActions).some((one) => one.status === 'skipped' && concerns(one, t)))
    .map((t) => `Task ${t.id} was dropped without the person's consent.`);
  const byMachine = unsettled(state);
  const notTold = byMachine.map(
    ({ verification: { id }, run }) =>
      `Verification ${id} is not settled: the machine. ${sentence(run.why ?? '')} Resume the sprint when the machine has less to do.`,
  );
  const lacking = installFault(state);
  const lacks = liveRunnable(work).filter((v) => waitsForInstall(state, v));
  const ids = lacks.map(({ id }) => id).join(', ');
  const notInstalled =
    lacking && ids !== '' ? [`The install ${installWords(lacking.install)} failed, and without it these have no result: ${ids}.`] : [];
  const red = liveRunnable(work)
    .filter((v) => !downFor(state, v) && !lacks.includes(v) && !byMachine.some(({ verification }) => verification.id === v.id))
    .filter((v) => work.results[v.id]?.verdict !== 'green')
    .map((v) => `${[`Verification ${v.id} is not green`, whyContradicted(state, v) ?? []].flat().join(': ')}.`);
  const kept = keptDown(state).map(({ name }) => name);
  const dead = downServices(state).map(
    (s) =>
      `Service ${s.name} is down: ${withoutFullStop(s.why)}. ${counted(s.verifications.length, 'verification')} could not be run.` +
      (kept.includes(s.name) ? ' Free the port, or give the machine less to do, then resume the sprint.' : ''),
  );
  return [
    ...open,
    ...descoped,
    ...unanswered(state),
    ...dead,
    ...notTold,
    ...notInstalled,
    ...red,
    ...(work.tree.change ? ['A change of the tree was not settled.'] : []),
  ];
}

function unanswered({ ledger }: State): string[] {
  return Object.values(ledger.humanActions)
    .filter(isUnresolved)
    .map(
      ({ action, missing }) =>
        `Only a person can do this, and it is still open: ${withoutFullStop(action)}.${missing === '' ? '' : ` Still missing: ${withoutFullStop(missing)}.`}`,
    );
}

function unjudged(state: State): string[] {
  const { clean, vrc, evaluation } = finalOf(state);
  const reasons: string[] = [];
  if (!clean) reasons.push(whyNotRunClean(state));
  else if (clean.red.length > 0) reasons.push(`In a clean checkout these failed: ${clean.red.join(', ')}.`);
  if (clean && clean.flaky.length > 0) reasons.push(`In a clean checkout these were flaky: ${clean.flaky.join(', ')}.`);
  if (!vrc || vrc.fallback) reasons.push('The final tree was not assessed against the Vision.');
  else if (vrc.recommendation !== 'SHIP_READY') reasons.push(`The final assessment does not recommend shipping: ${vrc.summary}`);
  if (!evaluation || evaluation.fallback) reasons.push('The final tree was not used as its user would.');
  return reasons;
}

/** What the final assessment and evaluation found that must be mended. */
function foundWrong(state: State): string[] {
  const { vrc, evaluation } = finalOf(state);
  const gaps = vrc && !vrc.fallback && vrc.recommendation === 'SHIP_READY' ? vrc.gaps : [];
  const findings = evaluation && !evaluation.fallback ? evaluation.findings : [];
  return [
    ...gaps.filter((g) => mustMend(g.severity)).map((g) => `Gap ${g.id}: ${withoutFullStop(g.description)}.`),
    ...findings.filter((f) => mustMend(f.severity)).map((f) => `Finding: ${withoutFullStop(f.description)}.`),
  ];
}

function whyNotRunClean(state: State): string {
  const { work, ledger } = state;
  const notRun = notRunClean(state)
    .map((v) => v.id)
    .join(', ');
  return ledger.assessments.cleanRuns.some(({ code }) => code === work.tree.code)
    ? `These did not run in a clean checkout of the final tree as they are now: ${notRun}.`
    : 'The final tree was not checked in a clean checkout.';
}
