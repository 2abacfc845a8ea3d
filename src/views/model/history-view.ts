/**
 * The failure history of one verification (I9) as its page shows it: its standing and what comes next, how it earned trust,
 * and its story in order. Pure, except that `get` reads payloads.
 */
import { left } from '../../engine/state/fuel.ts';
import { pictureOf, standingOf } from '../../engine/picture/picture.ts';
import type { StandingVerification } from '../../engine/picture/verifications.ts';
import { storyOf } from '../../engine/render/story.ts';
import { faultWords } from '../../engine/judge/fault-words.ts';
import { proofWords, strengthWords, type ProofWords } from '../../engine/render/trust-words.ts';
import { personCan, statusWords, verdictWords } from '../../engine/render/words.ts';
import type { State } from '../../engine/state/state.ts';
import { fixTanks, type Status } from '../../engine/judge/status.ts';
import { triage } from '../../engine/diagnose/triage.ts';
import { coveredTasks } from '../../engine/state/covers.ts';
import { isRunnable, requirementsOf, resultOf, type Run, type Verification } from '../../engine/work/verification.ts';
import { isOpen } from '../../engine/work/task.ts';
import { entryView, textOf, type EntryView, type GetPayload, type TextView } from './history-entries.ts';
import { inert } from './display-text.ts';
import { t, translated } from '../words.ts';

export interface HistoryView {
  verification: string;
  title: string;
  kind: Verification['kind'];
  status: Status;
  statusWords: string;
  requirements: { id: string; title: string }[];
  header: { name: string; value: string }[];
  now: NowView;
  /** The last run by hand in this window; null where there was none. */
  byHand: ByHand | null;
  trust: { trusted: boolean; why: string; strength: string; unseen: string[]; proofs: ProofWords[] };
  /** Oldest first. The panel opens no payload whose ref is not in this view. */
  story: EntryView[];
  script: TextView;
}

/** A run by hand: shown to the person, and recorded nowhere. */
export interface ByHand {
  /** `By hand: red, not counted`. */
  words: string;
  summary: string;
  /** Milliseconds since the epoch. */
  at: number;
}

/** Its standing on the current tree, and what comes next. */
export interface NowView {
  words: string;
  /** The summary of its current result; empty when that is green. */
  summary: string;
  /** The attempt that gave its current result. */
  attempt: number | null;
  /** What happens next, and what the person can do. */
  next: string[];
  /** Others that fail now for the same cause; `why` says how that is known. */
  siblings: { why: string; verifications: { id: string; title: string }[] } | null;
}

/** @returns undefined when the sprint has no such verification. */
export async function historyView(
  state: State,
  verificationId: string,
  get: GetPayload,
  byHand: ByHand | null = null,
): Promise<HistoryView | undefined> {
  const verification = state.work.verifications[verificationId];
  if (!verification) return undefined;
  const { work } = state;
  const standing = standingOf(state, verification);
  const { status, trust } = standing;
  return {
    verification: verification.id,
    title: inert(verification.title),
    kind: verification.kind,
    status,
    statusWords: translated(statusWords[status]),
    requirements: requirementsOf(verification).map((id) => ({ id, title: work.requirements.find((r) => r.id === id)?.title ?? '' })),
    header: headerOf(verification),
    now: nowOf(state, standing),
    byHand,
    trust: {
      trusted: trust.trusted,
      why: trust.why,
      strength: standing.strength ? strengthWords(standing.strength) : '',
      unseen: standing.strength?.unseen.map(faultWords) ?? [],
      proofs: proofWords(state, verification),
    },
    story: await Promise.all(storyOf(state, verification).map((entry) => entryView(entry, { state, verification, get }))),
    script: await textOf(verification.script, get),
  };
}

export function byHandView({ verdict, summary }: Pick<Run, 'verdict' | 'summary'>, at: number): ByHand {
  return {
    words: t('By hand: {0}, not counted', translated(verdictWords[verdict])),
    summary: verdict === 'green' ? '' : inert(summary),
    at,
  };
}

function headerOf(verification: Verification): HistoryView['header'] {
  if (verification.kind === 'criterion') return [];
  if (verification.kind === 'suite')
    return [
      { name: t('Test files'), value: verification.files.join(', ') },
      { name: t('Timeout'), value: `${verification.timeout} s` },
    ];
  return [
    { name: t('Written by'), value: verification.by === 'person' ? t('you: adopted from your edit') : 'QC' },
    { name: t('Tier'), value: verification.tier },
    { name: t('Timeout'), value: `${verification.timeout} s` },
    { name: t('Requires'), value: verification.requires.join(', ') || t('nothing') },
    { name: t('Its failure must contain'), value: verification.red },
  ];
}

function nowOf(state: State, standing: StandingVerification): NowView {
  const { verification, status, current } = standing;
  const isRed = current !== undefined && current.verdict !== 'green';
  return {
    words: obstacleWords(standing) ?? nowWords(state, verification, status),
    summary: isRed ? inert(current.summary) : '',
    attempt: current?.n ?? null,
    next: nextWords(state, verification, status),
    siblings: isRed ? siblingsOf(state, verification) : null,
  };
}

/** What prevents a run on the current tree; undefined when nothing does. */
function obstacleWords({ waits, barrier }: StandingVerification): string | undefined {
  if (waits !== '') return inert(t('It {0}.', waits));
  return barrier && t('It is not run while {0}, on which it builds, is broken.', barrier.id);
}

function nowWords({ ledger }: State, { kind, lineage }: Verification, status: Status): string {
  if (kind === 'criterion') return criterionWords[status] ?? t('A criterion: only an evaluation can judge it, no command can.');
  const runs = ledger.runs[lineage] ?? [];
  if (!runs.some((run) => resultOf(run))) {
    const why = runs.at(-1)?.why;
    return why === undefined ? t('It has not run yet.') : inert(t('It has no result yet: {0}.', why));
  }
  const words: Record<Status, string> = {
    pending: t('It has not run on the tree as it is.'),
    awaiting: t('It fails, as it should: what it verifies is not built yet.'),
    passed: t('It passes.'),
    failed: t('It fails.'),
    flaky: t('It failed and passed on the same tree. Loop reports that, and no agent fixes it.'),
    blocked: t('It fails, and no fix is left for it.'),
    retired: t('It is retired and no longer runs.'),
  };
  return words[status];
}

const criterionWords: Partial<Record<Status, string>> = {
  passed: t('An evaluation of the current tree judged it met.'),
  failed: t('An evaluation of the current tree judged it not met.'),
  retired: t('It is retired and no longer judged.'),
};

function nextWords(state: State, verification: Verification, status: Status): string[] {
  if (status === 'blocked') return [personCan.blocked];
  if (status === 'flaky') return [personCan.flaky];
  if (status === 'awaiting') return waitWords(state, verification);
  if (status !== 'failed' || verification.kind === 'criterion') return [];
  const [lineage, signature] = fixTanks(state, verification).map((tank) => left(state.ledger, tank));
  const fixes = Math.max(0, Math.min(lineage ?? 0, signature ?? 0));
  return [fixes === 1 ? t('One fix is left for it.') : t('{0} fixes are left for it.', fixes)];
}

function waitWords({ work }: State, verification: Verification): string[] {
  const tasks = coveredTasks(work, verification)
    .filter(isOpen)
    .map(({ id }) => id);
  return tasks.length === 0 ? [] : [t('It waits for {0}.', tasks.join(', '))];
}

/** Groups by the engine's own triage, but over all verifications that are red now, also those whose work is not built yet. */
function siblingsOf(state: State, verification: Verification): NowView['siblings'] {
  const runnable = pictureOf(state).live.flatMap(({ verification: one, current: run }) =>
    isRunnable(one) ? [{ verification: one, run }] : [],
  );
  const groups = triage(runnable.filter((one) => one.run?.verdict === 'red' || one.verification.id === verification.id));
  const group = groups.find(({ verifications }) => verifications.some(({ id }) => id === verification.id));
  const others = group?.verifications.filter(({ lineage }) => lineage !== verification.lineage) ?? [];
  return group && others.length > 0 ? { why: group.why, verifications: others.map(({ id, title }) => ({ id, title })) } : null;
}
