/**
 * Whether a verification is trusted (I8), derived from recorded runs, proofs and commits.
 *
 * A verification is trusted once it failed for its stated reason on a tree with every file that the covering commits created.
 * The run may be one before its first green, one without the covering hunks, or one on a mutant of the covering lines. It is
 * not trusted if a control shows that it depends on the work's text.
 */
import type { Tank } from '../state/events.ts';
import { canBurn, tank } from '../state/fuel.ts';
import { coveredTasks, isBuilt, liveScripts, neededTasks, speaksOf } from '../state/covers.ts';
import type { State, Work } from '../state/state.ts';
import { isStale } from '../state/world.ts';
import {
  isPersons,
  type OfferedMutant,
  type Proof,
  type Result,
  type Run,
  type Runnable,
  type Script,
  type Verification,
} from '../work/verification.ts';
import { isFinding, type Task } from '../work/task.ts';
import { lineagesOf, type Settled } from '../work/tree.ts';

export type Trust =
  | { trusted: true; by: 'red run' | 'revert' | 'mutant' | 'offered mutant'; why: string }
  | { trusted: false; why: string };

export function trustOf(state: State, verification: Verification): Trust {
  if (verification.kind === 'criterion') return { trusted: false, why: 'a criterion is judged by an evaluation, not run' };
  if (verification.kind === 'suite')
    return { trusted: false, why: 'it guards what was there before the sprint, and proves no requirement' };
  const runs = runsOf(state, verification);
  if (runs.some((run) => run.verdict === 'green' && run.redSeen))
    return { trusted: false, why: 'it prints its RED text even when it passes' };
  const proofs = proofsOf(state, verification);
  const control = proofs.findLast((p) => p.kind === 'control');
  if (control?.outcome === 'not-red') return { trusted: false, why: control.why };
  const red = redRunProof(state, verification);
  if (red !== undefined) return { trusted: true, by: 'red run', why: red };
  const tried = proofs.filter(isNoControl);
  const last = tried.at(-1);
  if (last?.outcome === 'red') return { trusted: true, by: provenBy[last.kind], why: last.why };
  const whys = tried.filter((p) => p.outcome !== 'red').map((p) => p.why);
  return { trusted: false, why: whys.join('; ') || 'no run of it that counts was red for its stated reason yet' };
}

type RealProof = Proof & { kind: Exclude<Proof['kind'], 'control'> };

function isNoControl(proof: Proof): proof is RealProof {
  return proof.kind !== 'control';
}

const provenBy = { revert: 'revert', mutants: 'mutant', offered: 'offered mutant' } as const;

/**
 * Which of its ordinary runs proves it, in words; undefined if none was red for its stated reason on a tree that counts: before its
 * first green, and with all files that the covering commits created, and all that the sprint had created by the first green. A
 * verification that only waits for a file proves nothing (docs/decisions/0003).
 */
export function redRunProof(state: State, verification: Verification): string | undefined {
  const runs = ordinaryRuns(state, verification);
  const green = firstGreenIn(runs);
  const { commits } = state.work.tree;
  const reds = runs.filter((run) => isHonestRed(run) && (!green || (run.n < green.n && changedBetween(commits, run.code, green.code))));
  if (reds.length === 0) return undefined;
  const complete = lastCreating([
    ...coveringCommits(state, verification),
    ...commits.filter(({ code }) => code <= (green?.code ?? Infinity)),
  ]);
  const red = reds.find(({ code }) => code >= complete);
  return red && `attempt ${red.n} failed for its stated reason before it was ever green`;
}

/** The code number from which on all files are there that these commits created. */
function lastCreating(commits: readonly Settled[]): number {
  return commits.reduce((last, { code, files }) => (files.some(({ kind }) => kind === 'added') ? Math.max(last, code) : last), 0);
}

/** All proofs of exactly this script. */
export function proofsOf({ ledger }: State, { lineage, script }: Verification): Proof[] {
  return ledger.proofs.filter((p) => p.lineage === lineage && p.script === script);
}

/** Red over finished work and green on the same work proves nothing: the work did not turn it green. */
function changedBetween(commits: readonly Settled[], red: number, green: number): boolean {
  return commits.some(({ code }) => code > red && code <= green);
}

/** Red for its stated reason: it printed its `RED` text, and no interpreter, module or service was missing. */
export function isHonestRed(run: Run): boolean {
  if (run.verdict !== 'red' || run.timedOut || run.stopped || run.exit === null || run.exit === 0) return false;
  // POSIX shells: the command was not executable, or not found.
  if (run.exit === 126 || run.exit === 127) return false;
  return run.redSeen && run.kind !== 'tooling_error' && run.kind !== 'service_down';
}

/** Runs of exactly this script: a rewritten one must earn trust again. */
export function runsOf(state: State, verification: Verification): Run[] {
  return (state.ledger.runs[verification.lineage] ?? []).filter((run) => run.script === verification.script);
}

/** Its first run with a result was green, and those before had none: the machine kept it from being seen red without the work. */
export function keptFromRed(state: State, verification: Verification): boolean {
  const runs = ordinaryRuns(state, verification);
  return runs[0]?.verdict === 'none' && runs.find(({ verdict }) => verdict !== 'none')?.verdict === 'green';
}

function ordinaryRuns(state: State, verification: Verification): OrdinaryRun[] {
  return runsOf(state, verification).filter(isOrdinary);
}

type OrdinaryRun = Run & { code: number };

function isOrdinary(run: Run): run is OrdinaryRun {
  return run.where === 'tree' && run.code !== null;
}

/**
 * Commits that a verification judges: of the tasks that it covers, of fixes made for it, and those that turned it green, whoever
 * made them. Where these are none, and the machine kept it from being red, those from its first run to its first
 * green one.
 */
export function coveringCommits(state: State, verification: Verification): Settled[] {
  const own = turnedGreenBy(state, verification);
  const judged = new Set([...madeFor(state, verification), ...(own.length > 0 ? own : turnedBefore(state, verification))]);
  const covering = state.work.tree.commits.filter((commit) => judged.has(commit));
  return covering.length > 0 || !keptFromRed(state, verification) ? covering : mayHaveTurned(state, verification);
}

/** Commits of the tasks that it covers, and of fixes made for it. */
export function madeFor(state: State, verification: Verification): Settled[] {
  const covered = new Set(coveredTasks(state.work, verification).map((t) => t.id));
  return state.work.tree.commits.filter(({ author }) =>
    author.kind === 'task' ? covered.has(author.task) : lineagesOf(author).includes(verification.lineage),
  );
}

/** Since its first run, which had no result, up to its first green one. */
function mayHaveTurned(state: State, verification: Verification): Settled[] {
  const [first] = ordinaryRuns(state, verification);
  const green = firstGreenOf(state, verification);
  return state.work.tree.commits.filter(({ code }) => code > (first?.code ?? Infinity) && code <= (green?.code ?? 0));
}

/** What turned this script green. */
function turnedGreenBy(state: State, verification: Verification): Settled[] {
  return turned(state, runsOf(state, verification));
}

/** What turned the scripts green that this one replaced when the work was done: it was never red, and judges the same. */
function turnedBefore(state: State, verification: Verification): Settled[] {
  return turned(state, state.ledger.runs[verification.lineage] ?? []);
}

/** Commits between the last run that was red for its stated reason and the first green one. */
function turned({ work }: State, runs: readonly Run[]): Settled[] {
  const green = firstGreenIn(runs);
  const red = runs.findLast((run) => run.where === 'tree' && isHonestRed(run) && run.n < (green?.n ?? 0));
  return work.tree.commits.filter(({ code }) => code > (red?.code ?? Infinity) && code <= (green?.code ?? 0));
}

function firstGreenOf(state: State, verification: Verification): OrdinaryRun | undefined {
  return firstGreenIn(runsOf(state, verification));
}

function firstGreenIn(runs: readonly Run[]): OrdinaryRun | undefined {
  return runs.filter(isOrdinary).find(({ verdict }) => verdict === 'green');
}

/**
 * Whether verifications show that a task is done although it changed nothing. Each of its requirements must have one, and all
 * must be green on this code and able to fail: other work turned them green, or they are trusted. What the person rewrote after
 * that work may stand on what it replaced. A finding is shown by what was written for it: it was found although all others were
 * green.
 */
export function isShown(state: State, task: Pick<Task, 'source' | 'prdSection' | 'unseen'>): boolean {
  const verifications = liveScripts(state.work).filter((v) => speaksOf(v, task));
  const isServed = isFinding(task)
    ? task.unseen !== undefined
    : task.prdSection.every((id) => verifications.some((v) => v.prd.includes(id)));
  if (verifications.length === 0 || !isServed) return false;
  const turnedGreen = (verification: Script): boolean =>
    turnedGreenBy(state, verification).length > 0 || (isPersons(verification) && turnedBefore(state, verification).length > 0);
  const canFail = (verification: Script): boolean => turnedGreen(verification) || trustOf(state, verification).trusted;
  return verifications.every((verification) => isGreen(state.work, verification) && canFail(verification));
}

function isGreen({ results, tree }: Work, { id }: Verification): boolean {
  return results[id]?.verdict === 'green' && results[id].code === tree.code;
}

/** Red although it was green, or although all work that it needs is built: a fixer may fix it. Descoped work is never broken. */
export function isBroken(state: State, verification: Verification): verification is Runnable {
  if (verification.kind === 'criterion' || state.work.retired.includes(verification.id)) return false;
  return currentResult(state, verification)?.verdict === 'red' && mayBeBroken(state, verification);
}

/**
 * The result on this code; undefined if there is none, or if it is stale: what failed has to run again before anybody is called.
 * Red before its work is built calls nobody, so it stays.
 */
export function currentResult(state: State, verification: Verification): Result | undefined {
  const { work, ledger } = state;
  const result = work.results[verification.id];
  if (result?.code !== work.tree.code) return undefined;
  if (result.verdict === 'green' || !isStale(ledger, verification.lineage, result)) return result;
  return result.verdict === 'red' && !mayBeBroken(state, verification) ? result : undefined;
}

function mayBeBroken(state: State, verification: Verification): boolean {
  return wasGreen(state, verification) || isBuilt(neededTasks(state.work, verification));
}

/** This script was green on a kept tree. */
export function wasGreen(state: State, verification: Verification): boolean {
  return firstGreenOf(state, verification) !== undefined;
}

/** Trusted, a criterion, or with a proof left to try: QC need not write a better one yet. */
export function mayBeProven(state: State, verification: Verification): boolean {
  if (verification.kind === 'criterion' || trustOf(state, verification).trusted) return true;
  if (mayTryProof(state, verification)) return true;
  return untriedMutants(state, verification).length > 0 && canBurn(state.ledger, [proofTank(verification, 'offered')]);
}

/**
 * Nothing was tried yet, or the machine kept the last try from a result, and a kind without one has fuel. A control that refused it
 * ends that.
 */
function mayTryProof(state: State, verification: Verification): boolean {
  const proofs = proofsOf(state, verification);
  if (proofs.length === 0) return true;
  if (proofs.some(({ kind, outcome }) => kind === 'control' && outcome === 'not-red')) return false;
  if (runsOf(state, verification).findLast((run) => run.where === 'revert')?.verdict !== 'none') return false;
  return untriedKinds(state, verification).some((one) => canBurn(state.ledger, [proofTank(verification, one)]));
}

/** Of the proofs that need no offer, those without an outcome. */
export function untriedKinds(state: State, verification: Verification): Proof['kind'][] {
  const tried = proofsOf(state, verification);
  return (['control', 'revert', 'mutants'] as const).filter((kind) => !tried.some((proof) => proof.kind === kind));
}

/** Mutants that QC offered for exactly this script; none once they were tried, or if the control refused the script. */
export function untriedMutants(state: State, verification: Verification): OfferedMutant[] {
  const { lineage, script } = verification;
  const tried = proofsOf(state, verification).some((p) => p.kind === 'offered' || (p.kind === 'control' && p.outcome === 'not-red'));
  if (tried) return [];
  return state.ledger.offers.filter((offer) => offer.lineage === lineage && offer.script === script);
}

/** Lets each kind of proof be tried once for a script. */
export function proofTank({ lineage, script }: Pick<Verification, 'lineage' | 'script'>, kind: Proof['kind'] | 'strength'): Tank {
  return tank('proof', `${lineage}/${script.slice(0, 8)}/${kind}`);
}
