/**
 * How a sprint ended: a pure function of state that no action sets (I7). `delivered` is what is left when there is no
 * reason against it; each reason is a sentence for the report.
 */
import { canBurn } from './fuel.ts';
import type { Ledger } from './ledger.ts';
import type { Ending, State } from './state.ts';
import { concerns, isSeen, isUnresolved } from './work/pause.ts';
import { isOpen } from './work/task.ts';
import { mustMend } from './work/assessment.ts';
import { closedGates, gateOf } from './verify/gates.ts';
import { counted } from './render/words.ts';
import { downServices, downFor, waitWords } from './verify/services.ts';
import { liveChecks, trustOf } from './verify/trust.ts';
import type { Check } from './work/check.ts';
import type { Requirement } from './work/requirement.ts';

export function ending(state: State): Ending {
  const reasons = [...unqualified(state), ...uncovered(state), ...unfinished(state), ...unassessed(state)];
  if (reasons.length === 0) return { stop: 'delivered', reasons };
  if (isWaiting(state.ledger)) return { stop: 'waiting', reasons };
  if (state.ledger.budgetReached) return { stop: 'out-of-budget', reasons: [state.ledger.budgetReached, ...reasons] };
  return { stop: hasProof(state) ? 'partial' : 'failed', reasons };
}

/** The person can still answer, or only has to do it: who said too often that it was done is not believed, but seen. */
function isWaiting(ledger: Ledger): boolean {
  const open = Object.values(ledger.pauses).filter(isUnresolved);
  return canBurn(ledger, ['sprint']) && open.some((pause) => canBurn(ledger, ['wait']) || isSeen(pause));
}

/** At least one trusted verification or criterion is green on the tree that is kept (exit 2 rather than 1). */
export function hasProof(state: State): boolean {
  return liveChecks(state.work).some((check) => isCounted(state, check));
}

/** A requirement with the check that covers it now, if one does; for the report and the views. */
export function coverage(state: State): { requirement: Requirement; by: Check | undefined }[] {
  const checks = liveChecks(state.work);
  return state.work.requirements.map((requirement) => ({
    requirement,
    by: checks.find((c) => c.prd.includes(requirement.id) && isProven(state, c)),
  }));
}

/** Trusted and green, or met with evidence, on the tree that is kept. */
export function isCounted(state: State, check: Check): boolean {
  const { work } = state;
  if (check.kind === 'criterion') return isMet(state, check);
  const result = work.results[check.id];
  return result?.verdict === 'green' && result.code === work.tree.code && trustOf(state, check).trusted;
}

/** Counted, and green in the clean checkout too. */
function isProven(state: State, check: Check): boolean {
  if (!isCounted(state, check)) return false;
  return check.kind === 'criterion' || finalOf(state).clean?.green.includes(check.id) === true;
}

function isMet(state: State, check: Check): boolean {
  const { evaluation } = finalOf(state);
  const verdict = evaluation?.fallback === false ? evaluation.criteria.find((c) => c.check === check.id) : undefined;
  return verdict?.met === true && verdict.evidence.trim() !== '';
}

/** The three final parts, as far as they looked at the tree that is kept. */
export function finalOf(state: State) {
  const { code } = state.work.tree;
  const { cleanRuns, vrcs, evaluations } = state.ledger.assessments;
  return {
    clean: cleanRuns.findLast((c) => c.code === code && ranAsTheyAre(state)),
    vrc: vrcs.findLast((v) => v.code === code && v.scope === 'final'),
    evaluation: evaluations.findLast((e) => e.code === code && e.scope !== 'work'),
  };
}

/** A clean checkout tells nothing of a script that the person adopted after it. */
function ranAsTheyAre({ work, ledger }: State): boolean {
  const ran = ({ lineage, script }: Check): boolean =>
    ledger.runs[lineage]?.findLast((run) => run.where === 'clean' && run.code === work.tree.code)?.script === script;
  return liveChecks(work).every((check) => check.by !== 'person' || ran(check));
}

function unqualified({ work }: State): string[] {
  if (work.requirements.length === 0) return ['No requirement was read.'];
  return work.gates.includes('plan') ? [] : ['The work was never qualified: there is no settled plan.'];
}

function uncovered(state: State): string[] {
  return coverage(state)
    .filter(({ by }) => !by)
    .map(({ requirement: { id, title } }) => `Requirement ${id} (${inside(title)}) is not proven: ${inside(whyNot(state, id))}.`);
}

/** Words that become part of a sentence. */
function inside(words: string): string {
  return words.replace(/\.$/, '');
}

function whyNot(state: State, requirementId: string): string {
  const candidates = liveChecks(state.work).filter((c) => c.prd.includes(requirementId));
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
  const { clean } = finalOf(state);
  return clean
    ? `${first.id} was not green in a clean checkout`
    : `${first.id} is green and trusted, but no clean checkout was made yet`;
}

function notMet(state: State, { id, title }: Check): string {
  const { evaluation } = finalOf(state);
  const verdict = evaluation?.criteria.find((c) => c.check === id);
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
    .filter((t) => !Object.values(ledger.pauses).some((p) => p.status === 'skipped' && concerns(p, t)))
    .map((t) => `Task ${t.id} was dropped without the person's consent.`);
  const red = liveChecks(work)
    .filter((c) => c.kind === 'command' && !downFor(state, c) && work.results[c.id]?.verdict !== 'green')
    .map((c) => `Verification ${c.id} is not green.`);
  const dead = downServices(state).map(
    (s) => `Service ${s.name} is down: ${inside(s.why)}. ${counted(s.checks.length, 'verification')} could not be run.`,
  );
  const asked = Object.values(ledger.pauses)
    .filter(isUnresolved)
    .map(
      ({ action, missing }) =>
        `Only a person can do this, and it is still open: ${inside(action)}.${missing === '' ? '' : ` Still missing: ${inside(missing)}.`}`,
    );
  return [
    ...open,
    ...descoped,
    ...asked,
    ...dead,
    ...red,
    ...(work.tree.change ? ['A change of the tree was not settled.'] : []),
  ];
}

function unassessed(state: State): string[] {
  const { clean, vrc, evaluation } = finalOf(state);
  const reasons: string[] = [];
  if (!clean) reasons.push('The final tree was not checked in a clean checkout.');
  else if (clean.red.length > 0) reasons.push(`In a clean checkout these failed: ${clean.red.join(', ')}.`);
  if (clean?.flaky?.length) reasons.push(`In a clean checkout these were flaky, twice looked at: ${clean.flaky.join(', ')}.`);
  if (!vrc || vrc.fallback) reasons.push('The final tree was not assessed against the Vision.');
  else if (vrc.recommendation !== 'SHIP_READY') reasons.push(`The final assessment does not recommend shipping: ${vrc.summary}`);
  else reasons.push(...vrc.gaps.filter((g) => mustMend(g.severity)).map((g) => `Gap ${g.id}: ${inside(g.description)}.`));
  if (!evaluation || evaluation.fallback) reasons.push('The final tree was not used as its user would.');
  else reasons.push(...evaluation.findings.filter((f) => mustMend(f.severity)).map((f) => `Finding: ${inside(f.description)}.`));
  return reasons;
}
