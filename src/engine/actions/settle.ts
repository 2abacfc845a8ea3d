/**
 * Keeps an open change as a commit, or takes it back exactly (I10). First it runs the verifications that the change concerns
 * and those that were once green. If one of these is red now, and was not red without the change, if the work was not reported, or
 * if a fix repeats one that failed, tree and `work` go back together. Otherwise all other verifications run on the same tree, and
 * the change becomes a commit. No run begins after `regressionTimeout`: a verification that was not reached has no result on the
 * new code, so `run-verifications` is due for it.
 */
import type { Context } from '../context.ts';
import { requireOwnTip } from '../branch.ts';
import { Bug, RefusedChange } from '../ground/errors.ts';
import { oneLine, pieceOf } from '../ground/text.ts';
import type { Ended } from '../state/events.ts';
import type { State } from '../state/state.ts';
import { askForServices, probeServices } from '../run/probe-services.ts';
import { Allowance } from '../run/allowance.ts';
import { installInWorktree } from '../run/installs.ts';
import { runVerifications } from '../run/batch.ts';
import { askForInstalls, whyNotInstallable } from '../judge/install-fault.ts';
import { concernedBy, othersThan, regressionOf, type Findings, type Selection } from '../judge/regression.ts';
import { contradictions } from '../diagnose/contradictions.ts';
import { changesThatFailed, isSameChange } from '../diagnose/same-change.ts';
import type { Fact } from '../work/facts.ts';
import { answerWords } from '../work/fix.ts';
import type { Change } from '../work/tree.ts';
import type { Action } from './action.ts';
import { changeDue, tidy } from './change.ts';

export const settle: Action = {
  id: 'settle',
  asksModel: false,
  afterQualifying: false,
  due: changeDue,
  async run(_target, context) {
    const { state, ports } = context;
    const { change } = state.work.tree;
    if (!change) throw new Bug('nothing to settle');
    const judged = context.open.parts.get(judgedStepId(context))?.ended;
    if (judged) return takeBack(context, { change, ...regressionOf(change, findingsIn(judged), state) });
    const undoing = context.open.parts.get(`${context.open.id}/undo:${change.step}`)?.begun;
    // Once the undo began, the tree no longer holds the change: a run on it would say nothing about the change.
    if (undoing?.kind === 'effect') return takeBack(context, { change, why: undoing.effect.detail });
    const committed = await ports.repo.findCommit(change.step);
    const refusal = committed ? undefined : (whyUnreported(state, change) ?? (await whyRepeated(context, change)));
    if (refusal !== undefined) return takeBack(context, { change, why: refusal });
    // Committed before a crash: anything else in the tree belongs to no author, and must not become part of the next change.
    const expected = committed ? null : change;
    await tidy(context, expected);
    if (await installInWorktree(context, 'changed')) await tidy(context, expected);
    const notInstallable = committed ? undefined : whyNotInstallable(state, change);
    if (notInstallable !== undefined) return takeBack(context, { change, why: notInstallable });
    const time = new Allowance(ports.clock, state.config.regressionTimeout);
    const findings = await examine(context, change, concernedBy(change, state), time);
    const regression = regressionOf(change, findings, state);
    if (committed || regression.broke.length === 0) {
      const rest = await examine(context, change, othersThan(findings, state), time);
      return keepUnlessRefused(context, change, { probes: [...findings.probes, ...rest.probes], runs: [...findings.runs, ...rest.runs] });
    }
    // Evidence first: once the undo began, it cannot be produced again (I9).
    await context.append({ type: 'step.ended', id: judgedStepId(context), outcome: 'done', facts: factsOf(findings, null) });
    return takeBack(context, { change, ...regression });
  },
};

/** Only reported work is kept. A session that stopped half-way leaves nothing behind, nor does one that says that something else is wrong. */
function whyUnreported({ work, ledger }: State, { author, step }: Change): string | undefined {
  if (author.kind === 'task')
    return work.tasks[author.task]?.status === 'reported' ? undefined : 'the session ended without reporting the task';
  const reported = ledger.fixes[author.lineage]?.find((fix) => fix.step === step);
  if (!reported) return 'the session ended without reporting the fix';
  return answerWords(reported.answer);
}

async function whyRepeated({ state, ports }: Context, { author, patch }: Change): Promise<string | undefined> {
  if (author.kind === 'task') return undefined;
  const failed = changesThatFailed(state, author.lineage).flatMap((fix) => fix.patch ?? []);
  const [now, ...before] = await Promise.all([patch, ...failed].map((ref) => ports.payloads.get(ref)));
  return before.some((other) => isSameChange(now ?? '', other)) ? 'the same change was tried before' : undefined;
}

/** @param time no run begins when it is over. */
async function examine(context: Context, change: Change, { verifications, first }: Selection, time: Allowance): Promise<Findings> {
  if (verifications.length === 0 || time.isOver) return { probes: [], runs: [] };
  const { probes, ready } = await probeServices(context, { verifications, at: 'worktree', code: null });
  const runs = await runVerifications(context, {
    verifications: ready,
    at: 'worktree',
    where: 'tree',
    code: null,
    limit: { time, first },
    decided: (known) => regressionOf(change, { probes, runs: [...known] }, context.state).broke.length > 0,
  });
  return { probes, runs };
}

function factsOf({ probes, runs }: Findings, code: number | null): Fact[] {
  return [
    ...probes.map((probe): Fact => ({ fact: 'service.probed', probe: { ...probe, code } })),
    ...runs.map((run): Fact => ({ fact: 'verification.ran', run: { ...run, code } })),
  ];
}

/** Id of the step that records the runs because of which a change is taken back. */
function judgedStepId({ open }: Context): string {
  return `${open.id}/judged`;
}

/** What was recorded before the undo began. */
function findingsIn({ facts }: Pick<Ended, 'facts'>): Findings {
  return {
    probes: facts.flatMap((fact) => (fact.fact === 'service.probed' ? [fact.probe] : [])),
    runs: facts.flatMap((fact) => (fact.fact === 'verification.ran' ? [fact.run] : [])),
  };
}

async function keepUnlessRefused(context: Context, change: Change, findings: Findings): Promise<Fact[]> {
  try {
    return await keep(context, change, findings);
  } catch (error) {
    if (!(error instanceof RefusedChange)) throw error;
    return takeBack(context, { change, why: error.message, findings });
  }
}

async function keep(context: Context, change: Change, findings: Findings): Promise<Fact[]> {
  const { state, ports } = context;
  await requireOwnTip(state, ports.repo);
  const { author, step, files, notable, patch } = change;
  const trailers = { 'Loop-Task': author.kind === 'task' ? author.task : `fix ${author.verification}`, 'Loop-Step': step };
  const effect = { name: 'commit', key: step, detail: subject(state, change) };
  const commit = await context.effect(effect, {
    find: () => ports.repo.findCommit(step),
    run: async () => (await ports.repo.findCommit(step)) ?? ports.repo.commit(subject(state, change), trailers),
  });
  const code = state.work.tree.code + 1;
  return [
    { fact: 'tree.settled', settled: { code, commit, author, step, files, ...(notable ? { notable } : {}), patch } },
    ...factsOf(findings, code),
    ...askForServices(state, findings.probes),
    ...askForInstalls(state, findings.runs, findings.probes),
  ];
}

async function takeBack(
  context: Context,
  { change, why, findings, broke = [] }: { change: Change; why: string; findings?: Findings; broke?: string[] },
): Promise<Fact[]> {
  const effect = { name: 'undo', key: change.step, detail: why };
  await context.effect(effect, { run: () => context.ports.repo.undo().then(() => '') });
  const { author } = change;
  const report = author.kind === 'task' ? context.state.work.tasks[author.task]?.report : undefined;
  return [
    ...(findings ? factsOf(findings, null) : []),
    { fact: 'tree.undone', change, why, broke, ...(report ? { report } : {}) },
    ...contradictions(context.state, change, broke).map((doubt): Fact => ({
      fact: 'fix.reported',
      step: context.open.id,
      report: doubt,
    })),
    ...(author.kind === 'task' ? [{ fact: 'task.returned' as const, id: author.task, why }] : []),
  ];
}

function subject({ work, ledger }: State, { author, step }: Change): string {
  const task = author.kind === 'task' ? work.tasks[author.task] : undefined;
  if (author.kind === 'task')
    return shortened(`${author.task}: ${oneLine(task?.report?.summary ?? task?.title ?? task?.description ?? '')}`);
  const report = ledger.fixes[author.lineage]?.find((fix) => fix.step === step);
  return shortened(`fix ${author.verification}: ${report?.fixApplied ?? ''}`);
}

/** A commit's subject: at most 72 characters, cut at a word. */
function shortened(text: string): string {
  const line = text.split('\n')[0] ?? '';
  return line.length <= 72 ? line : `${pieceOf(line, 0, 71).replace(/\s+\S*$/, '')}…`;
}
