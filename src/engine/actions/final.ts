/**
 * The last three looks at the tree that would be delivered (design §5, I7), in order of cost: the whole suite in a clean
 * checkout, a fresh assessment, a fresh evaluation as its user. Gaps become tasks, as far as minting is fuelled. A flake is
 * nobody's to mend (design §6): it gets one more clean checkout, and is reported whatever comes of it.
 */
import type { Context } from '../context.ts';
import { finalOf } from '../ending.ts';
import { mintLeft } from '../fuel.ts';
import { renderChecklist } from '../render/checklist.ts';
import type { State } from '../state.ts';
import { probeServices } from '../verify/probe.ts';
import { deadRun, runChecks, type Batch } from '../verify/run.ts';
import { liveChecks } from '../verify/trust.ts';
import { mustMend } from '../work/assessment.ts';
import type { Check, CheckRun } from '../work/check.ts';
import type { Fact } from '../work/facts.ts';
import { isUnresolved } from '../work/pause.ts';
import { isOpen, type Task } from '../work/task.ts';
import type { Action } from './action.ts';
import { isQualified } from './gate-row.ts';
import { prepared } from './prepared.ts';
import { factsOf, runSession } from './session-action.ts';
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
    const facts = target === 'vrc' ? await assess(context, target) : await evaluate(context, target);
    return [...facts, ...tasksFor(context.state, target)];
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
function isGreenEnough(state: State, { id }: Check): boolean {
  const result = state.work.results[id];
  if (result?.code !== state.work.tree.code) return false;
  return result.verdict === 'green' || (result.verdict === 'flaky' && mayLookAgain(state));
}

/** Clean checkouts of one code: a second one only where the first saw flakes and nothing worse. */
const looks = 2;

function mayLookAgain({ work, ledger }: State): boolean {
  return ledger.assessments.cleanRuns.filter(({ code }) => code === work.tree.code).length < looks;
}

function missingPart(state: State): string | undefined {
  const { clean, vrc, evaluation } = finalOf(state);
  const onlyFlaked = clean !== undefined && clean.red.length === 0 && (clean.flaky?.length ?? 0) > 0;
  if (!clean || (onlyFlaked && mayLookAgain(state))) return 'clean-run';
  if (!vrc || vrc.fallback) return 'vrc';
  return !evaluation || evaluation.fallback ? 'evaluation' : undefined;
}

/** A fresh checkout, prepared as the worktree was: commit, supplied inputs, dependencies. */
async function cleanRun(context: Context): Promise<Fact[]> {
  const { state } = context;
  const { code, commits } = state.work.tree;
  const checks = liveChecks(state.work).filter((c) => c.kind === 'command');
  const runs = await prepared(context, { revert: [] }, (at) => runClean(context, { checks, at, where: 'clean', code }));
  const named = (verdict: CheckRun['verdict']): string[] => runs.filter((r) => r.verdict === verdict).map((r) => r.check);
  const [green, red, flaky] = [named('green'), named('red'), named('flaky')];
  const before = finalOf(state).clean?.flaky ?? [];
  const why = before.length > 0 ? `a second look, since ${before.join(', ')} flaked in the first` : 'the first look at it';
  const commit = commits.at(-1)?.commit ?? state.opened.base.commit;
  return [
    ...runs.map((run): Fact => ({ fact: 'check.ran', run })),
    { fact: 'clean.ran', clean: { code, commit, green, red, ...(flaky.length > 0 ? { flaky } : {}), why } },
  ];
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

async function evaluate(context: Context, target: string): Promise<Fact[]> {
  const { state, ports } = context;
  const criteria = await Promise.all(
    liveChecks(state.work).filter((c) => c.kind === 'criterion').map(async (c) => `- ${c.id}: ${await ports.payloads.get(c.script)}`), // prettier-ignore
  );
  const values = { checklist: renderChecklist(state), criteria: criteria.join('\n') || 'None.' };
  const end = await prepared(context, { revert: [] }, (place) =>
    runSession(context, { prompt: 'evaluation', values, target, place }),
  );
  const evaluation = { code: state.work.tree.code, fallback: true, findings: [], criteria: [], summary: '' };
  return factsOf(end, (summary) => [{ fact: 'evaluation.reported', evaluation: { ...evaluation, summary } }]);
}

/** Critical and blocking gaps and findings of the report that was just taken, as many as may still be minted. */
function tasksFor(state: State, part: string): Fact[] {
  const { vrc, evaluation } = finalOf(state);
  const wanted =
    part === 'vrc'
      ? (vrc?.gaps ?? [])
          .filter((g) => mustMend(g.severity))
          .map((g) => ({ what: g.suggestedTask || g.description, value: g.description }))
      : (evaluation?.findings ?? [])
          .filter((f) => mustMend(f.severity))
          .map((f) => ({ what: f.suggestedFix || f.description, value: f.userImpact }));
  const minted = wanted.slice(0, Math.max(0, mintLeft(state.ledger)));
  const ids = freeIds(state, minted.length);
  return minted.map(({ what, value }, index) => ({
    fact: 'task.added',
    task: gapTask(ids[index] ?? '', part === 'vrc' ? 'vrc' : 'evaluation', { what, value, state }),
  }));
}

/** The engine mints ids, and a plan may have used some of them: the first that are free. */
function freeIds({ work }: State, count: number): string[] {
  const ids: string[] = [];
  for (let n = 1; ids.length < count; n += 1) if (!Object.hasOwn(work.tasks, `G${n}`)) ids.push(`G${n}`);
  return ids;
}

function gapTask(
  id: string,
  source: Task['source'],
  { what, value, state }: { what: string; value: string; state: State },
): Task {
  return {
    id,
    status: 'pending',
    source,
    description: what.slice(0, 600),
    value,
    prdSection: state.work.requirements.filter((r) => r.line > 0).map((r) => r.id).slice(0, 1), // prettier-ignore
    acceptance: 'The finding that it came from no longer holds.',
    dependencies: [],
    phase: 'gaps',
    filesExpected: [],
  };
}
