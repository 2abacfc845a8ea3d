/**
 * The story of one verification in order (I9): its attempts, and between them what was changed for it, what was found out about
 * it, what broke it and was taken back, where its file was edited, and how its criterion was judged. `history.md`, a fixer's
 * prompt and the failure-history page all tell this story in these words. Pure.
 */
import type { Ref } from '../state/events.ts';
import type { Ledger } from '../state/ledger.ts';
import type { State } from '../state/state.ts';
import type { Verification, Run } from '../work/verification.ts';
import type { Edit } from '../work/edit.ts';
import type { FixRecord } from '../work/fix.ts';
import { briefsFor, type Brief } from '../work/research.ts';
import { lineagesOf, type Change } from '../work/tree.ts';
import { exitWords, verdictWords } from './words.ts';
import { counted } from '../ground/text.ts';

export type Entry =
  | { type: 'attempt'; run: Run; rewritten: boolean }
  | { type: 'fix'; fix: FixRecord }
  | { type: 'setback'; change: Change; why: string }
  | { type: 'edit'; edit: Edit }
  | { type: 'brief'; brief: Brief }
  | { type: 'judgement'; code: number; met: boolean; evidence: string };

/** Oldest first, so that a cause comes before its effect, and the newest entry at the end. */
export function storyOf(state: State, verification: Verification): Entry[] {
  const { ledger } = state;
  const runs = ledger.runs[verification.lineage] ?? [];
  const help = helpOf(ledger, verification.lineage);
  const edits = ledger.edits[verification.lineage] ?? [];
  const setbacks = setbacksOf(state, verification);
  const after = (n: number): Entry[] => [
    ...setbacks.filter((s) => s.after === n).map(({ change, why }): Entry => ({ type: 'setback', change, why })),
    ...help.filter((one) => one.after === n).map(({ entry }) => entry),
    ...edits.filter((e) => e.after === n).map((edit): Entry => ({ type: 'edit', edit })),
  ];
  const attempts = runs.flatMap((run, i): Entry[] => {
    const before = runs[i - 1];
    return [{ type: 'attempt', run, rewritten: before !== undefined && before.script !== run.script }, ...after(i + 1)];
  });
  return [...after(0), ...attempts, ...judgements(state, verification)];
}

/** Fixes and briefs in order, each with how many attempts there were by then. */
function helpOf({ fixes, briefs }: Ledger, lineage: string): { after: number; entry: Entry }[] {
  const known = briefsFor(briefs, lineage).map((brief) => ({ brief, ...(brief.after[lineage] ?? { attempts: 0, fixes: 0 }) }));
  const briefsAt = (n: number) =>
    known.filter((one) => one.fixes === n).map(({ brief, attempts }) => ({ after: attempts, entry: { type: 'brief' as const, brief } }));
  const own = fixes[lineage] ?? [];
  return [
    ...own.flatMap((fix, i) => [...briefsAt(i), { after: fix.after, entry: { type: 'fix' as const, fix } }]),
    ...briefsAt(own.length),
  ];
}

/** `Attempt 3: red, exit status 1`. */
export function attemptWords(run: Run): string {
  const seed = run.seed === undefined ? '' : `, with SEED=${run.seed}`;
  return `Attempt ${run.n}: ${verdictWords[run.verdict]}, ${exitWords(run)}${seed}`;
}

/** Describes the tree that it ran on. */
export function placeWords(run: Pick<Run, 'where' | 'code'>, state: State): string {
  if (run.where === 'revert') return 'in a checkout of its own, with the work changed or taken out to prove it';
  if (run.code === null) return 'on a change that was not kept';
  return `${run.where === 'clean' ? 'in a clean checkout, ' : ''}${codeWords(run.code, state)}`;
}

/** `after change 3 (abc1234)`: the tree by its code number. */
export function codeWords(code: number, { work, opened }: State): string {
  if (code === 0) return `before any change (${opened.base.commit.slice(0, 7)})`;
  const commit = work.tree.commits.find((settled) => settled.code === code)?.commit.slice(0, 7);
  return `after change ${code}${commit === undefined ? '' : ` (${commit})`}`;
}

/** Describes an edit of a verification's file. @param isOpen it waits for the person's answer. */
export function editWords({ kept, atWork, answer, why = '' }: Edit, isOpen: boolean): string {
  const during = atWork ? ', while agents were at work' : '';
  return `The file of the verification was edited${during}; that text is kept as ${kept}${answerWords[answer ?? (isOpen ? 'open' : 'none')]}${why}`;
}

const answerWords: Record<NonNullable<Edit['answer']> | 'open' | 'none', string> = {
  none: ', and did not run.',
  open: ", and did not run. It waits for the person's word: adopt or discard.",
  adopt: '. The person adopted it: it becomes the verification before the next decision.',
  adopted: '. The person adopted it: it is the verification since, and earns its trust anew.',
  discard: ', and did not run. The person discarded it.',
  refused: '. The person adopted it, and it could not become the verification: ',
};

/** Who or what a brief is from: the person, or the addresses that were looked up. */
export function sourceWords({ by, sources }: Brief): string {
  return by === 'person' ? 'the person' : sources.join(', ') || 'no source was looked up';
}

/** Describes a fix that was made for more than one verification. @param verifications ids, as `madeFor` returns them. */
export function madeForWords(verifications: readonly string[]): string {
  return `Made for ${counted(verifications.length, 'verification')} with the same cause`;
}

/** Ids of all verifications that a fix was made for, the one that led it first. */
export function madeFor({ verification, also }: FixRecord, { work }: State): string[] {
  const named = Object.values(work.verifications);
  const nameOf = (lineage: string): string => named.findLast((v) => v.lineage === lineage)?.id ?? lineage;
  return [verification, ...also.map(nameOf)];
}

/** Describes QC's answer to a fixer who called the verification wrong; empty when the fixer did not. */
export function doubtAnswerWords({ answer, upheld }: FixRecord, current: Ref): string {
  if (answer.kind !== 'doubt') return '';
  if (upheld !== undefined) return `QC looked at it and answered that it is right: ${upheld}`;
  return answer.script === current ? 'QC has not answered yet.' : 'QC wrote the verification again.';
}

/**
 * Changes by others that were taken back because they broke this verification. Each has a run in the story: red on a change that
 * was not kept, of a script that had been green. Changes and runs are in the same order, that of the journal.
 */
function setbacksOf({ ledger }: State, verification: Verification): { after: number; change: Change; why: string }[] {
  const runs = ledger.runs[verification.lineage] ?? [];
  const ids = new Set([verification.id, ...runs.map((run) => run.verification)]);
  const judged = breakingRuns(runs);
  return ledger.undone
    .filter(({ broke }) => broke.some((id) => ids.has(id)))
    .map(({ change, why }, i) => ({ change, why, after: judged[i] ?? runs.length }))
    .filter(({ change }) => !lineagesOf(change.author).includes(verification.lineage));
}

/** For each run that showed such a break: how many runs there were by then. */
function breakingRuns(runs: readonly Run[]): number[] {
  const onceGreen = new Set<Ref>();
  return runs.flatMap(({ where, code, verdict, script }, i) => {
    if (where !== 'tree') return [];
    if (verdict === 'green' && code !== null) onceGreen.add(script);
    return verdict === 'red' && code === null && onceGreen.has(script) ? [i + 1] : [];
  });
}

/** Only a criterion is judged; it has no runs. */
function judgements({ ledger }: State, verification: Verification): Entry[] {
  return ledger.assessments.evaluations.flatMap(({ code, criteria }) =>
    criteria
      .filter((criterion) => criterion.verification === verification.id)
      .map(({ met, evidence }): Entry => ({ type: 'judgement', code, met, evidence })),
  );
}
