/**
 * The last three looks at the tree that would be delivered (design §5, I7), in order of cost: the whole suite in a clean
 * checkout, a fresh assessment, a fresh evaluation as its user. Gaps become tasks, as far as minting is fuelled. A flake is
 * nobody's to mend (design §6): it gets one more clean checkout, and is reported whatever comes of it.
 */
import type { Context } from '../context.ts';
import { cleanRunsOf, finalOf, unseenClean } from '../judge/ending.ts';
import type { State } from '../state/state.ts';
import { probeServices } from '../run/services.ts';
import { deadRun, runChecks, type Batch } from '../run/batch.ts';
import { liveChecks } from '../state/covers.ts';
import type { Check, CheckRun } from '../work/check.ts';
import type { Fact } from '../work/facts.ts';
import { isUnresolved } from '../work/pause.ts';
import { isOpen } from '../work/task.ts';
import type { Action } from './action.ts';
import { evaluate } from './critical-eval.ts';
import { tasksFor } from './gap-tasks.ts';
import { isQualified } from '../work/gate.ts';
import { prepared } from '../run/prepared.ts';
import { assess } from './vrc.ts';

export const final: Action = {
  id: 'final',
  asksModel: true,
  due(state) {
    const part = isReady(state) ? missingPart(state) : undefined;
    return part ? [{ target: part, burns: [`final/${part}`], why: `nothing is open; ${part} is missing on this code` }] : [];
  },
  async run(target, context) {
    if (target === 'clean-run') return cleanRun(context);
    const { state } = context;
    if (target === 'vrc') return [...(await assess(context, target)), ...tasksFor(state, 'vrc', finalOf(state).vrc)];
    return [...(await evaluate(context, target)), ...tasksFor(state, 'evaluation', finalOf(state).evaluation)];
  },
};

function isReady(state: State): boolean {
  const { work, ledger } = state;
  const checks = liveChecks(work);
  return (
    isQualified(state) &&
    checks.some((c) => !c.guard) &&
    !Object.values(work.tasks).some(isOpen) &&
    !Object.values(ledger.pauses).some(isUnresolved) &&
    checks.every((c) => c.kind === 'criterion' || isGreenEnough(state, c))
  );
}

/** Green on this code, or flaky while a look in a clean checkout is left that may find it green. */
function isGreenEnough(state: State, check: Check): boolean {
  const result = state.work.results[check.id];
  if (result?.code !== state.work.tree.code) return false;
  return result.verdict === 'green' || (result.verdict === 'flaky' && mayLookAgain(state, check));
}

/** Clean checkouts of one script and code: a second one only where the first saw flakes and nothing worse. */
const looks = 2;

function mayLookAgain(state: State, check: Check): boolean {
  return cleanRunsOf(state, check).length < looks;
}

/** What flaked in a clean checkout and may be seen in another one. */
function flaked(state: State): Check[] {
  const { red = [], flaky = [] } = finalOf(state).clean ?? {};
  const checks = red.length > 0 ? [] : flaky.flatMap((id) => state.work.checks[id] ?? []);
  return checks.filter((check) => mayLookAgain(state, check));
}

function missingPart(state: State): string | undefined {
  const { clean, vrc, evaluation } = finalOf(state);
  if (!clean || flaked(state).length > 0) return 'clean-run';
  if (!vrc || vrc.fallback) return 'vrc';
  return !evaluation || evaluation.fallback ? 'evaluation' : undefined;
}

/** A fresh checkout, prepared as the worktree was: commit, supplied inputs, dependencies. */
async function cleanRun(context: Context): Promise<Fact[]> {
  const { state } = context;
  const { code } = state.work.tree;
  const checks = liveChecks(state.work).filter((c) => c.kind === 'command');
  const runs = await runApart(context, { checks, where: 'clean', code });
  return [...runs.map((run): Fact => ({ fact: 'check.ran', run })), { fact: 'clean.ran', clean: { code, why: whyClean(state) } }];
}

function whyClean(state: State): string {
  const { work, ledger } = state;
  if (!ledger.assessments.cleanRuns.some(({ code }) => code === work.tree.code)) return 'the first look at it';
  const idsOf = (checks: Check[]): string => checks.map((c) => c.id).join(', ');
  const unseen = unseenClean(state);
  return unseen.length > 0
    ? `one more look, since the others did not see ${idsOf(unseen)} as it is now`
    : `one more look, since ${idsOf(flaked(state))} flaked`;
}

/** Together, and once more each in a checkout of its own where any of them wrote into it: one may not do the others' work. */
async function runApart(context: Context, batch: Omit<Batch, 'at'>): Promise<CheckRun[]> {
  const { repo } = context.ports;
  const together = await prepared(context, { revert: [] }, async (at) => {
    const before = await repo.fingerprint(at);
    const runs = await runClean(context, { ...batch, at });
    return { runs, wrote: (await repo.fingerprint(at)) !== before };
  });
  if (!together.wrote || batch.checks.length < 2) return together.runs;
  const runs: CheckRun[] = [];
  for (const check of batch.checks)
    runs.push(...(await prepared(context, { revert: [] }, (at) => runClean(context, { ...batch, checks: [check], at }))));
  return runs;
}

/** What a dead service keeps from being run is red: a clean checkout must have all that it needs. */
async function runClean(context: Context, batch: Batch): Promise<CheckRun[]> {
  const { probes, ready } = await probeServices(context, { ...batch, code: null });
  const runs = await runChecks(context, { ...batch, checks: ready });
  const waiting = batch.checks.flatMap((check) => {
    const probe = probes.find((p) => !p.up && check.requires.includes(p.name));
    return probe ? [{ check, probe }] : [];
  });
  const red = waiting.map(({ check, probe }) => deadRun(context, { check, probe, batch }));
  return [...runs, ...(await Promise.all(red))];
}
