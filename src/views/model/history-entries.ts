/** The entries of a failure history as its page shows them. Long texts are cut here; the editor opens the whole text. */
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
import { failureWords, fixWords, outcomeWords } from '../../engine/render/words.ts';
import { clip, sentence } from '../../engine/ground/text.ts';
import { authorWords, type Change } from '../../engine/work/tree.ts';
import type { State } from '../../engine/state/state.ts';
import type { CaseSummary, TestCase } from '../../engine/work/case.ts';
import type { Verification, Run } from '../../engine/work/verification.ts';
import { openEdit } from '../../engine/judge/open-edits.ts';
import type { Edit } from '../../engine/work/edit.ts';
import type { FixRecord } from '../../engine/work/fix.ts';
import { durationWords, inert } from './display-text.ts';
import { t, translated } from '../words.ts';

export type EntryView = AttemptView | FixView | SetbackView | EditView | BriefView | JudgementView;

export interface AttemptView {
  type: 'attempt';
  n: number;
  verdict: Run['verdict'];
  /** `Attempt 3: red, exit status 1 after 0.4 s`. */
  words: string;
  failure: string | null;
  /** Milliseconds since the epoch. */
  at: number | null;
  /** On which tree it ran, and whether its script was rewritten before. */
  place: string;
  summary: string;
  excerpt: string;
  output: Ref;
  /** Single failed cases, if a framework reported them or the output names places. */
  cases: { words: string; shown: CaseView[] } | null;
}

export interface CaseView {
  name: string;
  /** `src/a.ts:3`; empty when it is unknown. */
  place: string;
  message: string;
  values: { expected: string; actual: string } | null;
}

export interface FixView {
  type: 'fix';
  step: string;
  /** Milliseconds since the epoch; null when it is unknown. */
  at: number | null;
  outcome: FixRecord['outcome'];
  words: string;
  why: string;
  /** The fixer's own report. */
  said: { applied: string; reasoning: string; files: string[] };
  /** The changed files, by the engine's own record. */
  changed: FileView[];
  diff: TextView | null;
  /** Null for a fix of this verification alone. */
  madeFor: { words: string; verifications: string[] } | null;
  /** What the fixer says is wrong instead of the work; `answer` is what became of that. */
  doubt: { what: string; evidence: string; answer: string } | null;
}

/** A change for other work that broke the verification and was undone. */
export interface SetbackView {
  type: 'setback';
  step: string;
  at: number | null;
  words: string;
  why: string;
  changed: FileView[];
  diff: TextView;
}

/** An edit of the verification's file. */
export interface EditView {
  type: 'edit';
  words: string;
  /** Where the text is kept, below the sprint's folder. */
  kept: string;
  /** The person has neither adopted nor discarded it yet. */
  open: boolean;
}

/** What a researcher found, or the person said, about the failures. */
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

interface StoryContext {
  state: State;
  verification: Verification;
  get: GetPayload;
}

/** In characters. Green runs get less: there are many, and they tell little. */
const textLimit = 20_000;
const greenLimit = 2000;

export async function entryView(entry: Entry, context: StoryContext): Promise<EntryView> {
  switch (entry.type) {
    case 'attempt':
      return attemptView(entry, context.state);
    case 'fix':
      return fixView(entry.fix, context);
    case 'setback':
      return setbackView(entry, context);
    case 'edit':
      return editView(entry.edit, context);
    case 'brief': {
      const { topic, findings } = entry.brief;
      const source = inert(sourceWords(entry.brief));
      return { type: 'brief', topic: inert(topic), findings: inert(clip(findings, textLimit)), source };
    }
    case 'judgement': {
      const words = t('Judged {0} {1}', entry.met ? t('met') : t('not met'), codeWords(entry.code, context.state));
      return { type: 'judgement', met: entry.met, words, evidence: inert(clip(entry.evidence, textLimit)) };
    }
  }
}

function editView(edit: Edit, { state, verification }: StoryContext): EditView {
  const open = edit === openEdit(state, verification);
  return { type: 'edit', words: inert(editWords(edit, open)), kept: edit.kept, open };
}

/** A lost payload must not hide the rest of the history. */
export async function textOf(ref: Ref, get: GetPayload): Promise<TextView> {
  const text = await get(ref).catch(() => t('(this text is missing from .loop/payloads)'));
  return { text: inert(clip(text, textLimit)), ref };
}

function attemptView({ run, rewritten }: Extract<Entry, { type: 'attempt' }>, state: State): AttemptView {
  const place = placeWords(run, state);
  return {
    type: 'attempt',
    n: run.n,
    verdict: run.verdict,
    words: t('{0} after {1}', attemptWords(run), durationWords(run.duration)),
    failure: run.kind ? translated(failureWords[run.kind]) : null,
    at: run.at ?? null,
    place: rewritten ? t('{0}; the verification was written again', place) : place,
    summary: inert(run.summary),
    excerpt: inert(clip(run.excerpt, run.verdict === 'green' ? greenLimit : textLimit)),
    output: run.output,
    cases: run.cases ? casesView(run.cases) : null,
  };
}

function casesView({ total, failed, shown }: CaseSummary): AttemptView['cases'] {
  if (shown.length === 0) return null;
  const first = failed > shown.length ? t(', the first {0}', shown.length) : '';
  return { words: t('Cases: {0} of {1} failed{2}', failed, total, first), shown: shown.map(caseView) };
}

function caseView({ name, file, line, message, expected, actual }: TestCase): CaseView {
  const place = file === undefined ? '' : line === undefined ? file : `${file}:${line}`;
  const values = expected === undefined ? null : { expected: inert(expected), actual: inert(actual ?? '') };
  return { name: inert(name), place: inert(place), message: inert(message ?? ''), values };
}

async function fixView(fix: FixRecord, { state, verification, get }: StoryContext): Promise<FixView> {
  const { step, outcome, answer } = fix;
  const verifications = madeFor(fix, state);
  return {
    type: 'fix',
    step,
    at: timeOf(step, state),
    outcome,
    words: elseWords[answer.kind] ?? t('Fix: {0}', translated(outcomeWords[outcome])),
    why: inert(fix.why),
    said: { applied: inert(fix.fixApplied), reasoning: inert(fix.reasoning), files: fix.filesChanged },
    changed: fix.files,
    diff: fix.patch === undefined ? null : await textOf(fix.patch, get),
    madeFor: verifications.length > 1 ? { words: madeForWords(verifications), verifications } : null,
    doubt: elseWrong(fix, verification),
  };
}

const elseWords: Partial<Record<FixRecord['answer']['kind'], string>> = {
  environment: t('No fix: the environment is at fault'),
  declaration: t('No fix: a declaration is wrong'),
};

/** What the fixer says is wrong, not the work, and what came of that. */
function elseWrong(fix: FixRecord, { script }: Verification): FixView['doubt'] {
  const { answer } = fix;
  switch (answer.kind) {
    case 'fixed':
      return null;
    case 'doubt':
      return { what: t('The verification is wrong'), evidence: inert(answer.evidence), answer: inert(doubtAnswerWords(fix, script)) };
    case 'declaration':
      return { what: t('A declaration is wrong'), evidence: inert(answer.evidence), answer: inert(sentence(fixWords(fix))) };
    case 'environment':
      return { what: t('The environment is at fault'), evidence: inert(answer.missing), answer: inert(sentence(fixWords(fix))) };
  }
}

async function setbackView({ change, why }: { change: Change; why: string }, { state, get }: StoryContext): Promise<SetbackView> {
  const { step, author, files, patch } = change;
  const words = t('Change by {0}: undone', authorWords(author));
  return { type: 'setback', step, at: timeOf(step, state), words, why, changed: files, diff: await textOf(patch, get) };
}

/** A change has the id of the decision that made it, and only the decision has a time. */
function timeOf(step: string, { ledger }: State): number | null {
  return ledger.decisions.find(({ id }) => id === step)?.at ?? null;
}
