/**
 * The failure history of one verification (I9, spec/3): what each attempt showed, what each fix changed and why, how it
 * earned trust. Pure but for the payloads, which are read through `get`.
 */
import type { Ref } from '../../engine/events.ts';
import type { State } from '../../engine/state.ts';
import { trustOf } from '../../engine/verify/trust.ts';
import { statusOf, type CheckStatus } from '../../engine/verify/status.ts';
import type { Check, CheckRun } from '../../engine/work/check.ts';
import type { FixRecord } from '../../engine/work/fix.ts';
import { authorWords } from '../../engine/work/tree.ts';
import { clip, exitWords } from './text.ts';
import { checkLooks, failureWords, fixOutcomeWords, whereWords } from './words.ts';

export interface HistoryView {
  check: string;
  title: string;
  kind: Check['kind'];
  status: CheckStatus;
  statusWords: string;
  requirements: { id: string; title: string }[];
  header: { name: string; value: string }[];
  trusted: boolean;
  trustWhy: string;
  /** In order: attempts, and between them what fixers changed. */
  story: (AttemptView | FixView)[];
  /** Changes that were taken back because they broke this verification. */
  undone: UndoView[];
  /** Other verifications whose latest failure is the same one. */
  siblings: { id: string; title: string }[];
  /** Refs that the panel may open in an editor are those in this view, and no others. */
  script: { text: string; ref: Ref };
}

export interface AttemptView {
  type: 'attempt';
  n: number;
  verdict: CheckRun['verdict'];
  /** `exit 1 after 0.4 s`. */
  words: string;
  failure: string | null;
  /** Where it ran, if not on the sprint's tree, and whether that tree was kept. */
  note: string;
  summary: string;
  excerpt: string;
  output: Ref;
}

export interface FixView {
  type: 'fix';
  step: string;
  after: number;
  fixApplied: string;
  reasoning: string;
  claimed: string[];
  changed: { path: string; kind: string }[];
  outcome: FixRecord['outcome'];
  outcomeWords: string;
  why: string;
  diff: { text: string; ref: Ref } | null;
}

export interface UndoView {
  step: string;
  author: string;
  why: string;
  files: { path: string; kind: string }[];
  diff: { text: string; ref: Ref };
}

/** Reads a payload's text; rejects when it is missing. */
export type GetPayload = (ref: Ref) => Promise<string>;

/** Characters of a script or diff in the view; the whole of it opens in an editor. */
const textLimit = 20_000;

/** @returns undefined when the sprint has no such verification. */
export async function historyView(state: State, checkId: string, get: GetPayload): Promise<HistoryView | undefined> {
  const check = state.work.checks[checkId];
  if (!check) return undefined;
  const { work } = state;
  const status = statusOf(state, check);
  const trust = trustOf(state, check);
  return {
    check: check.id,
    title: check.title,
    kind: check.kind,
    status,
    statusWords: checkLooks[status].words,
    requirements: check.prd.map((id) => ({ id, title: work.requirements.find((r) => r.id === id)?.title ?? '' })),
    header: headerOf(check),
    trusted: trust.trusted,
    trustWhy: trust.why,
    story: await storyOf(state, check, get),
    undone: await undoneOf(state, check, get),
    siblings: siblingsOf(state, check),
    script: await textOf(check.script, get),
  };
}

function headerOf(check: Check): HistoryView['header'] {
  if (check.kind === 'criterion') return [];
  return [
    { name: 'Tier', value: check.tier },
    { name: 'Timeout', value: `${check.timeout} s` },
    { name: 'Requires', value: check.requires.join(', ') || 'nothing' },
    { name: 'Its failure must contain', value: check.red },
  ];
}

async function storyOf(state: State, check: Check, get: GetPayload): Promise<HistoryView['story']> {
  const runs = state.ledger.runs[check.lineage] ?? [];
  const fixes = state.ledger.fixes[check.lineage] ?? [];
  const story: HistoryView['story'] = [];
  const fixesAfter = async (n: number): Promise<void> => {
    for (const fix of fixes.filter((f) => f.after === n)) story.push(await fixView(fix, get));
  };
  await fixesAfter(0);
  const edits = state.ledger.edits?.[check.lineage] ?? [];
  for (const [index, run] of runs.entries()) {
    story.push(attemptView(run, edits.find((e) => e.after === index)?.kept));
    await fixesAfter(index + 1);
  }
  return story;
}

function undoneOf(state: State, check: Check, get: GetPayload): Promise<UndoView[]> {
  const broken = state.ledger.undone.filter(({ broke }) => broke.includes(check.id));
  const views = broken.map(async ({ change: { step, author, files, patch }, why }) => {
    return { step, author: authorWords(author), why, files, diff: await textOf(patch, get) };
  });
  return Promise.all(views);
}

function attemptView(run: CheckRun, edited: string | undefined): AttemptView {
  const kept = run.code === null && run.where === 'tree' ? 'on a change that was not kept' : '';
  return {
    type: 'attempt',
    n: run.n,
    verdict: run.verdict,
    words: exitWords(run),
    failure: run.kind ? failureWords[run.kind] : null,
    note: [whereWords[run.where] || kept, edited && `its file had been edited: kept as ${edited}`].filter(Boolean).join('; '),
    summary: run.summary,
    excerpt: clip(run.excerpt, textLimit),
    output: run.output,
  };
}

async function fixView(fix: FixRecord, get: GetPayload): Promise<FixView> {
  return {
    type: 'fix',
    step: fix.step,
    after: fix.after,
    fixApplied: fix.fixApplied,
    reasoning: fix.reasoning,
    claimed: fix.filesChanged,
    changed: fix.files,
    outcome: fix.outcome,
    outcomeWords: fixOutcomeWords[fix.outcome],
    why: fix.why,
    diff: fix.patch === undefined ? null : await textOf(fix.patch, get),
  };
}

function siblingsOf(state: State, check: Check): HistoryView['siblings'] {
  const signature = lastRed(state, check)?.signature ?? '';
  if (signature === '') return [];
  return Object.values(state.work.checks)
    .filter((other) => other.lineage !== check.lineage && lastRed(state, other)?.signature === signature)
    .map(({ id, title }) => ({ id, title }));
}

function lastRed(state: State, check: Check): CheckRun | undefined {
  return state.ledger.runs[check.lineage]?.findLast((run) => run.verdict !== 'green');
}

/** A lost payload must not hide the rest of the history. */
async function textOf(ref: Ref, get: GetPayload): Promise<{ text: string; ref: Ref }> {
  const text = await get(ref).catch(() => '(this text is missing from .loop/payloads)');
  return { text: clip(text, textLimit), ref };
}
