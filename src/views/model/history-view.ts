/**
 * The failure history of one verification (I9, spec/3) as its page shows it: how it stands now and what comes next, how it
 * earned trust, and its story in order. Pure but for the payloads, which are read through `get`; in the engine's own words.
 */
import { left } from '../../engine/state/fuel.ts';
import { storyOf } from '../../engine/render/story.ts';
import { proofsTold, type ProofTold } from '../../engine/render/trust.ts';
import { personCan, statusWords } from '../../engine/render/words.ts';
import type { State } from '../../engine/state/state.ts';
import { closedGates, gateOf } from '../../engine/judge/gates.ts';
import { downFor, waitWords } from '../../engine/services/services.ts';
import { currentRunOf, fixTanks, statusOf, type CheckStatus } from '../../engine/judge/status.ts';
import { triage } from '../../engine/diagnose/triage.ts';
import { trustOf } from '../../engine/judge/trust.ts';
import { coveredTasks, liveChecks } from '../../engine/state/covers.ts';
import { resultOf, type Check } from '../../engine/work/check.ts';
import { isOpen } from '../../engine/work/task.ts';
import { entryView, textOf, type EntryView, type GetPayload, type TextView } from './history-entries.ts';
import { inert } from './text.ts';

export interface HistoryView {
  check: string;
  title: string;
  kind: Check['kind'];
  status: CheckStatus;
  statusWords: string;
  requirements: { id: string; title: string }[];
  header: { name: string; value: string }[];
  now: NowView;
  trust: { trusted: boolean; why: string; proofs: ProofTold[] };
  /** Oldest first. Refs that the panel may open in an editor are those in this view, and no others. */
  story: EntryView[];
  script: TextView;
}

/** How it stands on the tree as it is, and what comes next. */
export interface NowView {
  words: string;
  /** What its result says, where that is not green. */
  summary: string;
  /** The attempt that its result is from. */
  attempt: number | null;
  /** What happens next, and what a person can do. */
  next: string[];
  /** Others that fail now for the same cause, and how that is known. */
  siblings: { why: string; checks: { id: string; title: string }[] } | null;
}

/** @returns undefined when the sprint has no such verification. */
export async function historyView(state: State, checkId: string, get: GetPayload): Promise<HistoryView | undefined> {
  const check = state.work.checks[checkId];
  if (!check) return undefined;
  const { work } = state;
  const status = statusOf(state, check);
  const { trusted, why } = trustOf(state, check);
  return {
    check: check.id,
    title: inert(check.title),
    kind: check.kind,
    status,
    statusWords: statusWords[status],
    requirements: check.prd.map((id) => ({ id, title: work.requirements.find((r) => r.id === id)?.title ?? '' })),
    header: headerOf(check),
    now: nowOf(state, check),
    trust: { trusted, why, proofs: proofsTold(state, check) },
    story: await Promise.all(storyOf(state, check).map((entry) => entryView(entry, { state, check, get }))),
    script: await textOf(check.script, get),
  };
}

function headerOf(check: Check): HistoryView['header'] {
  if (check.kind === 'criterion') return [];
  return [
    { name: 'Written by', value: check.by === 'person' ? 'you: adopted from your edit' : 'QC' },
    { name: 'Tier', value: check.tier },
    { name: 'Timeout', value: `${check.timeout} s` },
    { name: 'Requires', value: check.requires.join(', ') || 'nothing' },
    { name: 'Its failure must contain', value: check.red },
  ];
}

function nowOf(state: State, check: Check): NowView {
  const status = statusOf(state, check);
  const run = currentRunOf(state, check);
  const red = run !== undefined && run.verdict !== 'green';
  return {
    words: keptWords(state, check, status) ?? nowWords(state, check, status),
    summary: red ? inert(run.summary) : '',
    attempt: run?.n ?? null,
    next: nextFor(state, check, status),
    siblings: red ? siblingsOf(state, check) : null,
  };
}

/** What keeps it from being run on the tree as it is; undefined where nothing does. */
function keptWords(state: State, check: Check, status: CheckStatus): string | undefined {
  const dead = downFor(state, check);
  if (dead) return inert(`It ${waitWords(dead)}.`);
  const gate = status === 'pending' ? gateOf(check, closedGates(state)) : undefined;
  return gate && `It is not run while ${gate.id} is broken, on which it builds.`;
}

function nowWords({ ledger }: State, { kind, lineage }: Check, status: CheckStatus): string {
  if (kind === 'criterion') return criterionWords[status] ?? 'A criterion: an evaluation has to judge it, no command can tell.';
  if (!ledger.runs[lineage]?.some((run) => resultOf(run))) return 'It has not run yet.';
  const words: Record<CheckStatus, string> = {
    pending: 'It has not run on the tree as it is.',
    awaiting: 'It fails, as it should: what it checks is not built yet.',
    passed: 'It passes.',
    failed: 'It fails.',
    flaky: 'It failed and passed on the same tree. Loop reports that and does not let an agent mend it.',
    blocked: 'It fails, and no fix is left for it.',
    retired: 'It is retired and runs no more.',
  };
  return words[status];
}

const criterionWords: Partial<Record<CheckStatus, string>> = {
  passed: 'An evaluation of the tree as it is judged it met.',
  failed: 'An evaluation of the tree as it is judged it not met.',
  retired: 'It is retired and judged no more.',
};

function nextFor(state: State, check: Check, status: CheckStatus): string[] {
  if (status === 'blocked') return [personCan.blocked];
  if (status === 'flaky') return [personCan.flaky];
  if (status === 'awaiting') return waitsFor(state, check);
  if (status !== 'failed' || check.kind === 'criterion') return [];
  const [line, signature] = fixTanks(state, check).map((tank) => left(state.ledger, tank));
  const fixes = Math.max(0, Math.min(line ?? 0, signature ?? 0));
  return [fixes === 1 ? 'One fix is left for it.' : `${fixes} fixes are left for it.`];
}

function waitsFor({ work }: State, check: Check): string[] {
  const tasks = coveredTasks(work, check)
    .filter(isOpen)
    .map(({ id }) => id);
  return tasks.length === 0 ? [] : [`It waits for ${tasks.join(', ')}.`];
}

/** As the engine groups what one fix may mend, here over everything that is red now, broken or not built yet. */
function siblingsOf(state: State, check: Check): NowView['siblings'] {
  const seen = liveChecks(state.work).map((c) => ({ check: c, run: currentRunOf(state, c) }));
  const groups = triage(seen.filter((c) => c.run?.verdict === 'red' || c.check.id === check.id));
  const group = groups.find(({ checks }) => checks.some((c) => c.id === check.id));
  const others = group?.checks.filter((c) => c.lineage !== check.lineage) ?? [];
  return group && others.length > 0 ? { why: group.why, checks: others.map(({ id, title }) => ({ id, title })) } : null;
}
