/** One entry of a failure history as its page shows it; long texts are cut here, the whole of them opens in the editor. */
import type { Ref } from '../../engine/state/events.ts';
import {
  attemptWords,
  codeWords,
  doubtAnswerWords,
  editWords,
  madeFor,
  madeForWords,
  placeWords,
  sourceWords,
  type Entry,
} from '../../engine/render/story.ts';
import { failureWords, outcomeWords } from '../../engine/render/words.ts';
import { authorWords, type Change } from '../../engine/work/tree.ts';
import type { State } from '../../engine/state/state.ts';
import type { CaseSummary, TestCase } from '../../engine/work/case.ts';
import type { Verification, Run } from '../../engine/work/verification.ts';
import { openEdit } from '../../engine/judge/open-edits.ts';
import type { Edit } from '../../engine/work/edit.ts';
import type { FixRecord } from '../../engine/work/fix.ts';
import { clip, durationWords, inert } from './display-text.ts';

export type EntryView = AttemptView | FixView | SetbackView | EditView | BriefView | JudgementView;

export interface AttemptView {
  type: 'attempt';
  n: number;
  verdict: Run['verdict'];
  /** `Attempt 3: red, exit status 1 after 0.4 s`. */
  words: string;
  failure: string | null;
  /** On which tree, and whether its file was another one than before. */
  place: string;
  summary: string;
  excerpt: string;
  output: Ref;
  /** Single cases that failed, where a framework told them or places were found in the output. */
  cases: { words: string; shown: CaseView[] } | null;
}

export interface CaseView {
  name: string;
  /** `src/a.ts:3`; empty where it is not known. */
  place: string;
  message: string;
  values: { expected: string; actual: string } | null;
}

export interface FixView {
  type: 'fix';
  step: string;
  /** Milliseconds since the epoch; null when it is not known. */
  at: number | null;
  outcome: FixRecord['outcome'];
  words: string;
  why: string;
  /** What the fixer said. */
  said: { applied: string; reasoning: string; files: string[] };
  /** What the engine saw. */
  changed: FileView[];
  diff: TextView | null;
  /** Null for a fix of this verification alone. */
  madeFor: { words: string; verifications: string[] } | null;
  /** The fixer called the verification wrong, and what became of that. */
  doubt: { evidence: string; answer: string } | null;
}

/** A change by others that broke it and was taken back. */
export interface SetbackView {
  type: 'setback';
  step: string;
  at: number | null;
  words: string;
  why: string;
  changed: FileView[];
  diff: TextView;
}

/** Somebody changed its file. */
export interface EditView {
  type: 'edit';
  words: string;
  /** Where their text is kept, below the sprint's folder. */
  kept: string;
  /** The person's word is missing: they may adopt or discard it. */
  open: boolean;
}

/** What research or the person said about it. */
export interface BriefView {
  type: 'brief';
  topic: string;
  findings: string;
  source: string;
}

/** An evaluation judged a criterion. */
export interface JudgementView {
  type: 'judgement';
  met: boolean;
  words: string;
  evidence: string;
}

export interface FileView {
  path: string;
  kind: string;
}

export interface TextView {
  text: string;
  ref: Ref;
}

/** Reads a payload's text; rejects when it is missing. */
export type GetPayload = (ref: Ref) => Promise<string>;

export interface Told {
  state: State;
  verification: Verification;
  get: GetPayload;
}

/** Characters of a script, diff or output in the view; of a green run, of which there are many, few are enough. */
const textLimit = 20_000;
const greenLimit = 2000;

export async function entryView(entry: Entry, of: Told): Promise<EntryView> {
  switch (entry.type) {
    case 'attempt':
      return attemptView(entry, of.state);
    case 'fix':
      return fixView(entry.fix, of);
    case 'setback':
      return setbackView(entry, of);
    case 'edit':
      return editView(entry.edit, of);
    case 'brief': {
      const { topic, findings } = entry.brief;
      const source = inert(sourceWords(entry.brief));
      return { type: 'brief', topic: inert(topic), findings: inert(clip(findings, textLimit)), source };
    }
    case 'judgement': {
      const words = `Judged ${entry.met ? 'met' : 'not met'} ${codeWords(entry.code, of.state)}`;
      return { type: 'judgement', met: entry.met, words, evidence: inert(clip(entry.evidence, textLimit)) };
    }
  }
}

function editView(edit: Edit, { state, verification }: Told): EditView {
  const open = edit === openEdit(state, verification);
  return { type: 'edit', words: inert(editWords(edit, open)), kept: edit.kept, open };
}

/** A lost payload must not hide the rest of the history. */
export async function textOf(ref: Ref, get: GetPayload): Promise<TextView> {
  const text = await get(ref).catch(() => '(this text is missing from .loop/payloads)');
  return { text: inert(clip(text, textLimit)), ref };
}

function attemptView({ run, rewritten }: Extract<Entry, { type: 'attempt' }>, state: State): AttemptView {
  const place = placeWords(run, state);
  return {
    type: 'attempt',
    n: run.n,
    verdict: run.verdict,
    words: `${attemptWords(run)} after ${durationWords(run.duration)}`,
    failure: run.kind ? failureWords[run.kind] : null,
    place: rewritten ? `${place}; the verification was written again` : place,
    summary: inert(run.summary),
    excerpt: inert(clip(run.excerpt, run.verdict === 'green' ? greenLimit : textLimit)),
    output: run.output,
    cases: run.cases ? casesView(run.cases) : null,
  };
}

function casesView({ total, failed, shown }: CaseSummary): AttemptView['cases'] {
  if (shown.length === 0) return null;
  const first = failed > shown.length ? `, the first ${shown.length}` : '';
  return { words: `Cases: ${failed} of ${total} failed${first}`, shown: shown.map(caseView) };
}

function caseView({ name, file, line, message, expected, actual }: TestCase): CaseView {
  const place = file === undefined ? '' : line === undefined ? file : `${file}:${line}`;
  const values = expected === undefined ? null : { expected: inert(expected), actual: inert(actual ?? '') };
  return { name: inert(name), place: inert(place), message: inert(message ?? ''), values };
}

async function fixView(fix: FixRecord, { state, verification, get }: Told): Promise<FixView> {
  const { step, outcome, answer } = fix;
  const verifications = madeFor(fix, state);
  return {
    type: 'fix',
    step,
    at: timeOf(step, state),
    outcome,
    words: `Fix: ${outcomeWords[outcome]}`,
    why: inert(fix.why),
    said: { applied: inert(fix.fixApplied), reasoning: inert(fix.reasoning), files: fix.filesChanged },
    changed: fix.files,
    diff: fix.patch === undefined ? null : await textOf(fix.patch, get),
    madeFor: verifications.length > 1 ? { words: madeForWords(verifications), verifications } : null,
    doubt: answer.kind === 'doubt' ? { evidence: inert(answer.evidence), answer: inert(doubtAnswerWords(fix, verification.script)) } : null,
  };
}

async function setbackView({ change, why }: { change: Change; why: string }, { state, get }: Told): Promise<SetbackView> {
  const { step, author, files, patch } = change;
  const words = `Change by ${authorWords(author)}: undone`;
  return { type: 'setback', step, at: timeOf(step, state), words, why, changed: files, diff: await textOf(patch, get) };
}

/** A change bears the step of the decision that made it. */
function timeOf(step: string, { ledger }: State): number | null {
  return ledger.decisions.find(({ id }) => id === step)?.at ?? null;
}
