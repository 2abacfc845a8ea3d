/**
 * How a sprint ended: a pure function of state that no action sets (I7). `delivered` is what is left when there is no
 * reason against it; each reason is a sentence for the report.
 */
import { canBurn, tank } from '../state/fuel.ts';
import type { Ledger } from '../state/ledger.ts';
import type { Ending, State } from '../state/state.ts';
import { concerns, isObservable, isUnresolved } from '../work/human-action.ts';
import { isOpen } from '../work/task.ts';
import { mustMend } from '../work/assessment.ts';
import { closedGates, gateOf } from './gates.ts';
import { counted } from '../ground/text.ts';
import { downServices, downFor, waitWords } from '../services/services.ts';
import { runsOf, trustOf, type Trust } from './trust.ts';
import { liveRunnable, liveVerifications } from '../state/covers.ts';
import { requirementsOf, type Run, type Runnable, type Verification } from '../work/verification.ts';
import type { Requirement } from '../work/requirement.ts';

/** @param covered as `coverage` gives it, where it is known already. */
export function ending(state: State, covered: readonly Covered[] = coverage(state)): Ending {
  const reasons = [...unqualified(state), ...uncovered(state, covered), ...unfinished(state), ...unassessed(state)];
  if (reasons.length === 0) return { stop: 'delivered', reasons };
  if (isWaiting(state.ledger)) return { stop: 'waiting', reasons };
  if (state.ledger.budgetReached) return { stop: 'out-of-budget', reasons: [state.ledger.budgetReached, ...reasons] };
  return { stop: hasProof(state) ? 'partial' : 'failed', reasons };
}

/** The person can still answer, or only has to do it: who said too often that it was done is not believed, but seen. */
function isWaiting(ledger: Ledger): boolean {
  const open = Object.values(ledger.humanActions).filter(isUnresolved);
  return canBurn(ledger, [tank('sprint')]) && open.some((humanAction) => canBurn(ledger, [tank('wait')]) || isObservable(humanAction));
}

/** At least one trusted verification or criterion is green on the tree that is kept (exit 2 rather than 1). */
export function hasProof(state: State): boolean {
  return liveVerifications(state.work).some((verification) => isCounted(state, verification));
}

/** A requirement, and the verification that proves it now, if one does. */
export interface Covered {
  readonly requirement: Requirement;
  readonly provenBy: Verification | undefined;
}

export function coverage(state: State): Covered[] {
  const verifications = liveVerifications(state.work);
  return state.work.requirements.map((requirement) => ({
    requirement,
    provenBy: verifications.find((c) => requirementsOf(c).includes(requirement.id) && isProven(state, c)),
  }));
}

/** Trusted and green, or met with evidence, on the tree that is kept. */
export function isCounted(state: State, verification: Verification, trust: Trust = trustOf(state, verification)): boolean {
  const { work } = state;
  if (verification.kind === 'criterion') return isMet(state, verification);
  const result = work.results[verification.id];
  return result?.verdict === 'green' && result.code === work.tree.code && trust.trusted;
}

/** Counted, and green in the clean checkout too. */
export function isProven(state: State, verification: Verification, trust: Trust = trustOf(state, verification)): boolean {
  if (!isCounted(state, verification, trust)) return false;
  return verification.kind === 'criterion' || cleanRunsOf(state, verification).at(-1)?.verdict === 'green';
}

function isMet(state: State, verification: Verification): boolean {
  const { evaluation } = finalOf(state);
  const verdict = evaluation?.fallback === false ? evaluation.criteria.find((c) => c.verification === verification.id) : undefined;
  return verdict?.met === true && verdict.evidence.trim() !== '';
}

/** The three final parts, as far as they looked at the tree that is kept. */
export function finalOf(state: State) {
  const { code } = state.work.tree;
  const { vrcs, evaluations } = state.ledger.assessments;
  return {
    clean: cleanOf(state),
    vrc: vrcs.findLast((v) => v.code === code && v.scope === 'final'),
    evaluation: evaluations.findLast((e) => e.code === code && e.scope !== 'work'),
  };
}

/** Runs of this very script in clean checkouts of the tree that is kept: what another text of it did there says nothing. */
export function cleanRunsOf(state: State, verification: Verification): Run[] {
  return runsOf(state, verification).filter((run) => run.where === 'clean' && run.code === state.work.tree.code);
}

/** What has to run in a clean checkout of the tree that is kept and, as it is now, did not. */
export function notRunClean(state: State): Runnable[] {
  return liveRunnable(state.work).filter((c) => cleanRunsOf(state, c).length === 0);
}

/** What clean checkouts of the tree that is kept say of all that is live as it is now: ids by verdict. */
export interface CleanResult {
  green: string[];
  red: string[];
  /** Red, then green, in one checkout. */
  flaky: string[];
  /** Why the latest was made; empty in journals from before it was said. */
  why: string;
}

/** None while something that is live did not run in one as it is now. */
function cleanOf(state: State): CleanResult | undefined {
  const { work, ledger } = state;
  const last = ledger.assessments.cleanRuns.findLast(({ code }) => code === work.tree.code);
  if (!last || notRunClean(state).length > 0) return undefined;
  const named = (verdict: Run['verdict']): string[] =>
    liveVerifications(work)
      .filter((c) => cleanRunsOf(state, c).at(-1)?.verdict === verdict)
      .map((c) => c.id);
  return { green: named('green'), red: named('red'), flaky: named('flaky'), why: last.why };
}

function unqualified({ work }: State): string[] {
  if (work.requirements.length === 0) return ['No requirement was read.'];
  return work.gates.includes('plan') ? [] : ['The work was never qualified: there is no settled plan.'];
}

function uncovered(state: State, covered: readonly Covered[]): string[] {
  return covered
    .filter(({ provenBy }) => !provenBy)
    .map(({ requirement: { id, title } }) => `Requirement ${id} (${inside(title)}) is not proven: ${inside(whyNot(state, id))}.`);
}

/** Words that become part of a sentence. */
function inside(words: string): string {
  return words.replace(/\.$/, '');
}

function whyNot(state: State, requirementId: string): string {
  const candidates = liveVerifications(state.work).filter((c) => requirementsOf(c).includes(requirementId));
  const [first] = candidates;
  if (!first) return 'no verification covers it';
  if (first.kind === 'criterion') return notMet(state, first);
  const dead = downFor(state, first);
  if (dead) return `${first.id} ${waitWords(dead)}`;
  const result = state.work.results[first.id];
  const trust = trustOf(state, first);
  if (result?.code !== state.work.tree.code) {
    const gate = gateOf(first, closedGates(state));
    return `${first.id} ${result ? 'was not run on the final tree' : 'never ran'}${gate ? `: ${gate.id} is broken, and gates it` : ''}`;
  }
  if (result.verdict !== 'green') return `${first.id} is ${result.verdict}`;
  if (!trust.trusted) return `${first.id} is green but not trusted: ${trust.why}`;
  return cleanRunsOf(state, first).length > 0
    ? `${first.id} was not green in a clean checkout`
    : `${first.id} is green and trusted, but did not run in a clean checkout yet`;
}

function notMet(state: State, { id, title }: Verification): string {
  const { evaluation } = finalOf(state);
  const verdict = evaluation?.criteria.find((c) => c.verification === id);
  if (!verdict || evaluation?.fallback) return `no evaluation of the final tree judged "${title}"`;
  return `"${title}" was judged ${verdict.met ? 'met without evidence' : `not met: ${verdict.evidence}`}`;
}

function unfinished(state: State): string[] {
  const { work, ledger } = state;
  const open = Object.values(work.tasks)
    .filter(isOpen)
    .map((t) => `Task ${t.id} is not settled: ${inside(t.setback ?? t.description)}.`);
  const descoped = Object.values(work.tasks)
    .filter((t) => t.status === 'descoped' && !t.replacedBy)
    .filter((t) => !Object.values(ledger.humanActions).some((p) => p.status === 'skipped' && concerns(p, t)))
    .map((t) => `Task ${t.id} was dropped without the person's consent.`);
  const red = liveRunnable(work)
    .filter((c) => !downFor(state, c) && work.results[c.id]?.verdict !== 'green')
    .map((c) => `Verification ${c.id} is not green.`);
  const dead = downServices(state).map(
    (s) => `Service ${s.name} is down: ${inside(s.why)}. ${counted(s.verifications.length, 'verification')} could not be run.`,
  );
  const asked = Object.values(ledger.humanActions)
    .filter(isUnresolved)
    .map(
      ({ action, missing }) =>
        `Only a person can do this, and it is still open: ${inside(action)}.${missing === '' ? '' : ` Still missing: ${inside(missing)}.`}`,
    );
  return [...open, ...descoped, ...asked, ...dead, ...red, ...(work.tree.change ? ['A change of the tree was not settled.'] : [])];
}

function unassessed(state: State): string[] {
  const { clean, vrc, evaluation } = finalOf(state);
  const reasons: string[] = [];
  if (!clean) reasons.push(whyNotRunClean(state));
  else if (clean.red.length > 0) reasons.push(`In a clean checkout these failed: ${clean.red.join(', ')}.`);
  if (clean && clean.flaky.length > 0) reasons.push(`In a clean checkout these were flaky: ${clean.flaky.join(', ')}.`);
  if (!vrc || vrc.fallback) reasons.push('The final tree was not assessed against the Vision.');
  else if (vrc.recommendation !== 'SHIP_READY') reasons.push(`The final assessment does not recommend shipping: ${vrc.summary}`);
  else reasons.push(...vrc.gaps.filter((g) => mustMend(g.severity)).map((g) => `Gap ${g.id}: ${inside(g.description)}.`));
  if (!evaluation || evaluation.fallback) reasons.push('The final tree was not used as its user would.');
  else reasons.push(...evaluation.findings.filter((f) => mustMend(f.severity)).map((f) => `Finding: ${inside(f.description)}.`));
  return reasons;
}

function whyNotRunClean(state: State): string {
  const { work, ledger } = state;
  const unseen = notRunClean(state)
    .map((c) => c.id)
    .join(', ');
  return ledger.assessments.cleanRuns.some(({ code }) => code === work.tree.code)
    ? `These did not run in a clean checkout of the final tree as they are now: ${unseen}.`
    : 'The final tree was not checked in a clean checkout.';
}
