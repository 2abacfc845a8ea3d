/**
 * Whether a check may count (I8, design §6). Pure: everything follows from recorded runs, proofs and commits.
 *
 * A check is trusted once it was seen red for its stated reason, on a tree that holds every file that the covering
 * commits created: by a run on the sprint's tree before its first green, by taking the covering hunks out, or by a mutant of
 * the covering lines; and as long as no control showed that it goes by the work's text.
 */
import type { Tank } from '../state/events.ts';
import { canBurn } from '../state/fuel.ts';
import { coveredTasks, isBuilt, liveChecks } from '../state/covers.ts';
import type { State, Work } from '../state/state.ts';
import type { Check, CheckRun, OfferedPatch, Proof } from '../work/check.ts';
import { isFinding, type Task } from '../work/task.ts';
import { createdAfter, lineagesOf, type Settled } from '../work/tree.ts';

export type Trust =
  { trusted: true; by: 'red run' | 'revert' | 'mutant' | 'patch'; why: string } | { trusted: false; why: string };

export function trustOf(state: State, check: Check): Trust {
  if (check.kind === 'criterion') return { trusted: false, why: 'a criterion is judged by an evaluation, not run' };
  if (check.guard) return { trusted: false, why: 'it guards what was there before the sprint, and proves no requirement' };
  const runs = runsOf(state, check);
  if (runs.some((run) => run.verdict === 'green' && run.redSeen))
    return { trusted: false, why: 'it prints its RED text even when it passes' };
  const proofs = proofsOf(state, check);
  const control = proofs.findLast((p) => p.kind === 'control');
  if (control?.outcome === 'not-red') return { trusted: false, why: control.why };
  const red = seenRed(state, check);
  if (red !== undefined) return { trusted: true, by: 'red run', why: red };
  const tried = proofs.filter((p) => p.kind !== 'control');
  const last = tried.at(-1);
  if (last?.outcome === 'red') return { trusted: true, by: wordOf[last.kind], why: last.why };
  const whys = tried.filter((p) => p.outcome !== 'red').map((p) => p.why);
  return { trusted: false, why: whys.join('; ') || 'it has not been seen red for its stated reason yet' };
}

const wordOf = { control: 'red run', revert: 'revert', mutants: 'mutant', patches: 'patch' } as const;

/** What its ordinary runs prove, in words; undefined where none was red for its stated reason, or not on a tree that counts. */
export function seenRed(state: State, check: Check): string | undefined {
  const red = runsOf(state, check).find((run) => provesRed(state, check, run));
  return red && `attempt ${red.n} failed for its stated reason before it was ever green`;
}

/** What was tried to prove this very script. */
export function proofsOf({ ledger }: State, { lineage, script }: Check): Proof[] {
  return ledger.proofs.filter((p) => p.lineage === lineage && p.script === script);
}

/**
 * A red run on the sprint's tree before the check's first green, with every file there that the covering commits created,
 * and every file that the sprint had created when it first turned green: what merely waits for a file proves nothing.
 */
function provesRed(state: State, check: Check, run: CheckRun): boolean {
  const { work } = state;
  if (run.where !== 'tree' || run.code === null || !isHonestRed(run)) return false;
  const firstGreen = firstGreenOf(state, check);
  if (firstGreen && firstGreen.n < run.n) return false;
  const covering = new Set(coveringCommits(state, check));
  const before = (commit: Settled): boolean => commit.code <= (firstGreen?.code ?? work.tree.code);
  const relevant = work.tree.commits.filter((commit) => covering.has(commit) || before(commit));
  return createdAfter(relevant, run.code).length === 0;
}

/** Red for its own reason: not a missing interpreter, a missing module or a dead service, and its `RED` text was printed. */
export function isHonestRed(run: CheckRun): boolean {
  if (run.verdict !== 'red' || run.timedOut || run.exit === null || run.exit === 0) return false;
  if (run.exit === 126 || run.exit === 127) return false;
  return run.redSeen && run.kind !== 'tooling_error' && run.kind !== 'service_down';
}

/** The runs of this very script; a rewritten one has to earn trust again. */
export function runsOf(state: State, check: Check): CheckRun[] {
  return (state.ledger.runs[check.lineage] ?? []).filter((run) => run.script === check.script);
}

/**
 * Commits that a check's verdict speaks about: of the tasks that it covers, of fixes made for it, and those that turned it
 * green, whosever they were.
 */
export function coveringCommits(state: State, check: Check): Settled[] {
  const covered = new Set(coveredTasks(state.work, check).map((t) => t.id));
  const turned = new Set(turnedGreenBy(state, check));
  return state.work.tree.commits.filter(
    (commit) =>
      turned.has(commit) ||
      (commit.author.kind === 'task' ? covered.has(commit.author.task) : lineagesOf(commit.author).includes(check.lineage)),
  );
}

/** The commits between the last time this script was red for its stated reason and the first time it was green. */
function turnedGreenBy(state: State, check: Check): Settled[] {
  const green = firstGreenOf(state, check);
  const red = runsOf(state, check).findLast((run) => run.where === 'tree' && isHonestRed(run) && run.n < (green?.n ?? 0));
  return state.work.tree.commits.filter(({ code }) => code > (red?.code ?? Infinity) && code <= (green?.code ?? 0));
}

function firstGreenOf(state: State, check: Check): CheckRun | undefined {
  return runsOf(state, check).find((run) => run.where === 'tree' && run.verdict === 'green' && run.code !== null);
}

/**
 * Whether checks show a task for which nothing had to change any more (design §5): each requirement that it serves has
 * one, and all are green on this code and can fail: other work turned them green, or they are trusted. What an assessment or
 * an evaluation found missing was missing in spite of them.
 */
export function isShown(state: State, { source, prdSection }: Task): boolean {
  const checks = liveChecks(state.work).filter((c) => c.kind === 'command' && c.prd.some((id) => prdSection.includes(id)));
  if (isFinding({ source }) || checks.length === 0 || !prdSection.every((id) => checks.some((c) => c.prd.includes(id))))
    return false;
  const canFail = (check: Check): boolean => turnedGreenBy(state, check).length > 0 || trustOf(state, check).trusted;
  return checks.every((check) => isGreen(state.work, check) && canFail(check));
}

function isGreen({ results, tree }: Work, { id }: Check): boolean {
  return results[id]?.verdict === 'green' && results[id].code === tree.code;
}

/** Red, and once green or with everything built that it covers: a fixer's business. What was descoped is nobody's. */
export function isBroken(state: State, check: Check): boolean {
  const { work } = state;
  if (check.kind !== 'command' || work.retired.includes(check.id)) return false;
  const result = work.results[check.id];
  if (result?.verdict !== 'red' || result.code !== work.tree.code) return false;
  return wasGreen(state, check) || isBuilt(coveredTasks(work, check));
}

/** This script was green on a tree that was kept. */
export function wasGreen(state: State, check: Check): boolean {
  return firstGreenOf(state, check) !== undefined;
}

/** Trusted, a criterion, or with a proof that is still to be tried: nothing better needs to be written yet. */
export function mayBeProven(state: State, check: Check): boolean {
  if (check.kind === 'criterion' || trustOf(state, check).trusted) return true;
  if (proofsOf(state, check).length === 0) return true;
  return untriedPatches(state, check).length > 0 && canBurn(state.ledger, [proofTank(check, 'patches')]);
}

/** Patches that QC offered for this very script; none once they were tried, or the control refused it. */
export function untriedPatches(state: State, check: Check): OfferedPatch[] {
  const { lineage, script } = check;
  const tried = proofsOf(state, check).some((p) => p.kind === 'patches' || (p.kind === 'control' && p.outcome === 'not-red'));
  if (tried) return [];
  return (state.ledger.offers ?? []).filter((offer) => offer.lineage === lineage && offer.script === script);
}

/** Each kind of proof is tried once for a script. */
export function proofTank({ lineage, script }: Pick<Check, 'lineage' | 'script'>, kind: Proof['kind']): Tank {
  return `proof/${lineage}/${script.slice(0, 8)}/${kind}`;
}
