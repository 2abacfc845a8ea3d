/**
 * Keeps an open change or takes it back exactly (I10): runs the checks that it concerns and those that were once green. If
 * one that was once green is now red, work was not reported, or a fix repeats one that failed, tree and `work` go back
 * together; else all others run on the same tree, and it becomes a commit. None begins after `regressionTimeout`: what was
 * not reached has no result on the new code, and `run-checks` is due for it.
 */
import type { Context } from '../context.ts';
import { requireOwnTip } from '../branch.ts';
import { Bug, RefusedChange } from '../ground/errors.ts';
import type { Ended } from '../state/events.ts';
import { counted } from '../ground/text.ts';
import type { State } from '../state/state.ts';
import { askFor, probeServices } from '../run/services.ts';
import { runChecks } from '../run/batch.ts';
import { contradictions } from '../diagnose/contradictions.ts';
import { closedGates } from '../judge/gates.ts';
import { isHard } from '../work/tier.ts';
import { changesThatFailed, isSameChange } from '../diagnose/same-change.ts';
import { dependants, isDown, servicesOf } from '../services/services.ts';
import { wasGreen } from '../judge/trust.ts';
import { coveredTasks, liveChecks } from '../state/covers.ts';
import type { Check, CheckRun } from '../work/check.ts';
import type { Fact } from '../work/facts.ts';
import { doubtWords } from '../work/fix.ts';
import { serviceLineage, type ServiceProbe } from '../work/service.ts';
import { isExternal } from '../services/words.ts';
import { authorWords, lineagesOf, type Change } from '../work/tree.ts';
import type { Action } from './action.ts';
import { tidy } from './change.ts';

export const settle: Action = {
  id: 'settle',
  asksModel: false,
  due({ work: { tree } }) {
    if (!tree.change) return [];
    return [
      {
        target: String(tree.change.n),
        burns: [`settle/${tree.change.n}`],
        why: `${counted(tree.change.files.length, 'file')} changed`,
      },
    ];
  },
  async run(_target, context) {
    const { state, ports } = context;
    const { change } = state.work.tree;
    if (!change) throw new Bug('nothing to settle');
    const judged = context.open.parts.get(judgement(context))?.ended;
    if (judged) return takeBack(context, { change, ...verdictOf(state, change, judged) });
    const undoing = context.open.parts.get(`${context.open.id}/undo:${change.step}`)?.begun;
    // Once taking back began the tree is no longer the change's: what is run on it now would say nothing about it.
    if (undoing?.kind === 'effect') return takeBack(context, { change, why: undoing.effect.detail });
    const committed = await ports.repo.findCommit(change.step);
    const no = committed ? undefined : (whyUnreported(state, change) ?? (await whyRepeated(context, change)));
    if (no !== undefined) return takeBack(context, { change, why: no });
    // Committed before a crash: what is left beside it is nobody's, and the next change must not carry it.
    const expected = committed ? null : change;
    await tidy(context, expected);
    const end = ports.clock.now() + state.config.regressionTimeout * 1000;
    const seen = await look(context, concerned(state, change), end);
    await tidy(context, expected);
    const facts = factsOf(seen, null);
    const verdict = verdictOf(state, change, { facts });
    if (committed || verdict.broke.length === 0) {
      const rest = await look(context, othersThan(state, seen), end);
      await tidy(context, expected);
      return keepUnlessRefused(context, change, { probes: [...seen.probes, ...rest.probes], runs: [...seen.runs, ...rest.runs] });
    }
    // Evidence first: once taking back began, nothing can show it again (I9).
    await context.append({ type: 'step.ended', id: judgement(context), outcome: 'done', facts });
    return takeBack(context, { change, ...verdict });
  },
};

/** A claim is needed to keep work: a session that stopped half-way leaves nothing behind, nor does one that blames the check. */
function whyUnreported({ work, ledger }: State, { author, step }: Change): string | undefined {
  if (author.kind === 'task')
    return work.tasks[author.task]?.status === 'reported' ? undefined : 'the session ended without reporting the task';
  const reported = ledger.fixes[author.lineage]?.find((fix) => fix.step === step);
  if (!reported) return 'the session ended without reporting the fix';
  return reported.wrong && doubtWords(reported.wrong);
}

async function whyRepeated({ state, ports }: Context, { author, patch }: Change): Promise<string | undefined> {
  if (author.kind === 'task') return undefined;
  const failed = changesThatFailed(state, author.lineage).flatMap((fix) => fix.patch ?? []);
  const [now, ...before] = await Promise.all([patch, ...failed].map((ref) => ports.payloads.get(ref)));
  return before.some((other) => isSameChange(now ?? '', other)) ? 'the same change was tried before' : undefined;
}

/** What was found out about an open change. */
interface Seen {
  probes: ServiceProbe[];
  runs: CheckRun[];
}

/** What is to be run, and which of it goes first. */
interface Looking {
  checks: readonly Check[];
  first: readonly Check[];
}

/** @param end when nothing more is begun, in milliseconds. */
async function look(context: Context, { checks, first }: Looking, end: number): Promise<Seen> {
  const seconds = Math.round((end - context.ports.clock.now()) / 1000);
  if (checks.length === 0 || seconds <= 0) return { probes: [], runs: [] };
  const { probes, ready } = await probeServices(context, { checks, at: 'worktree', code: null });
  const runs = await runChecks(context, { checks: ready, at: 'worktree', where: 'tree', code: null, limit: { seconds, first } });
  return { probes, runs };
}

function factsOf({ probes, runs }: Seen, code: number | null): Fact[] {
  return [
    ...probes.map((probe): Fact => ({ fact: 'service.probed', probe: { ...probe, code } })),
    ...runs.map((run): Fact => ({ fact: 'check.ran', run: { ...run, code } })),
  ];
}

/** What covers the change goes first: it is what the change is for. */
function concerned(state: State, { author }: Change): Looking {
  const { work } = state;
  const covers = (check: Check): boolean =>
    author.kind === 'task'
      ? coveredTasks(work, check).some((t) => t.id === author.task)
      : lineagesOf(author).some((l) => l === check.lineage || check.requires.map(serviceLineage).includes(l));
  const checks = liveChecks(work).filter((c) => c.kind === 'command' && (wasGreen(state, c) || covers(c)));
  return { checks, first: checks.filter(covers) };
}

/** Of no consequence for this change, but the same tree. Where one of a hard tier may gate them `run-checks` decides. */
function othersThan(state: State, { probes, runs }: Seen): Looking {
  const known = new Map(runs.map((run) => [run.check, run.verdict]));
  const dead = probes.filter((probe) => !probe.up).map((probe) => probe.name);
  const commands = liveChecks(state.work).filter((c) => c.kind === 'command');
  const mayGate = closedGates(state).length > 0 || commands.some((c) => isHard(c) && known.get(c.id) === 'red');
  const left = commands.filter((c) => !known.has(c.id) && !c.requires.some((name) => dead.includes(name)));
  return { checks: mayGate ? [] : left, first: [] };
}

/** Where the runs are written down by which a change is taken back. */
function judgement({ open }: Context): string {
  return `${open.id}/judged`;
}

/** The words name who broke what. */
function verdictOf(state: State, { author }: Change, { facts }: Pick<Ended, 'facts'>): { why: string; broke: string[] } {
  const runs = facts.flatMap((fact) => (fact.fact === 'check.ran' ? [fact.run] : []));
  const red = runs.filter((run) => run.verdict === 'red' && isOnceGreen(state, run)).map((run) => run.check);
  const killed = facts.flatMap((fact) => (fact.fact === 'service.probed' ? killedBy(state, fact.probe) : []));
  const broke = [...new Set([...red, ...killed.flatMap(({ checks }) => checks)])];
  const how = killed.map(({ probe: { name, why } }) => `; service ${name} is down: ${why}`).join('');
  return { why: `${authorWords(author)} broke ${broke.join(', ')}${how}`, broke };
}

/** A service that the change killed, with what was once green and cannot be run any more. One that was down before is no sign. */
function killedBy(state: State, probe: ServiceProbe): { probe: ServiceProbe; checks: string[] }[] {
  const service = servicesOf(state.work).find((s) => s.name === probe.name);
  if (probe.up || !service || isExternal(service) || isDown(state, service)) return [];
  const checks = dependants(state, service).filter((c) => wasGreen(state, c)).map((c) => c.id); // prettier-ignore
  return checks.length > 0 ? [{ probe, checks }] : [];
}

function isOnceGreen(state: State, run: CheckRun): boolean {
  const check = state.work.checks[run.check];
  return check !== undefined && wasGreen(state, check);
}

async function keepUnlessRefused(context: Context, change: Change, seen: Seen): Promise<Fact[]> {
  try {
    return await keep(context, change, seen);
  } catch (error) {
    if (!(error instanceof RefusedChange)) throw error;
    return takeBack(context, { change, why: error.message, seen });
  }
}

async function keep(context: Context, change: Change, seen: Seen): Promise<Fact[]> {
  const { state, ports } = context;
  await requireOwnTip(state, ports.repo);
  const { author, step, files, patch } = change;
  const trailers = { 'Loop-Task': author.kind === 'task' ? author.task : `fix ${author.check}`, 'Loop-Step': step };
  const effect = { name: 'commit', key: step, detail: subject(state, change) };
  const commit = await context.effect(effect, {
    probe: () => ports.repo.findCommit(step),
    run: async () => (await ports.repo.findCommit(step)) ?? ports.repo.commit(subject(state, change), trailers),
  });
  const code = state.work.tree.code + 1;
  return [
    { fact: 'tree.settled', settled: { code, commit, author, step, files, patch } },
    ...factsOf(seen, code),
    ...askFor(state, seen.probes),
  ];
}

async function takeBack(
  context: Context,
  { change, why, seen, broke = [] }: { change: Change; why: string; seen?: Seen; broke?: string[] },
): Promise<Fact[]> {
  const effect = { name: 'undo', key: change.step, detail: why };
  await context.effect(effect, { run: () => context.ports.repo.undo().then(() => '') });
  const { author } = change;
  return [
    ...(seen ? factsOf(seen, null) : []),
    { fact: 'tree.undone', change, why, broke },
    ...contradictions(context.state, change, broke).map((report): Fact => ({
      fact: 'fix.reported',
      step: context.open.id,
      report,
    })),
    ...(author.kind === 'task' ? [{ fact: 'task.returned' as const, id: author.task, why }] : []),
  ];
}

function subject({ work, ledger }: State, { author, step }: Change): string {
  if (author.kind === 'task') return shortened(`${author.task}: ${work.tasks[author.task]?.description ?? ''}`);
  const report = ledger.fixes[author.lineage]?.find((fix) => fix.step === step);
  return shortened(`fix ${author.check}: ${report?.fixApplied ?? ''}`);
}

/** A commit's subject, cut at a word. */
function shortened(text: string): string {
  const line = text.split('\n')[0] ?? '';
  return line.length <= 72 ? line : `${line.slice(0, 71).replace(/\s+\S*$/, '')}…`;
}
