/** A verification's story as markdown: for the next fixer, and with its head and its trust as `history.md`. */
import type { State } from '../state/state.ts';
import { standingOf } from '../picture/picture.ts';
import { openEdit } from '../judge/open-edits.ts';
import { renderCases } from '../diagnose/cases.ts';
import { lastRunOf } from '../judge/status.ts';
import { isPersons, requirementsOf, type Run, type Verification } from '../work/verification.ts';
import type { FixRecord } from '../work/fix.ts';
import {
  attemptWords,
  codeWords,
  doubtAnswerWords,
  editWords,
  madeFor,
  madeForWords,
  placeWords,
  sourceWords,
  storyOf,
  type Entry,
} from './story.ts';
import { proofWords, trustWords } from './trust-words.ts';
import { failureWords, fixWords, personWrote, statusWords } from './words.ts';
import { sentence } from '../ground/text.ts';
import { authorWords } from '../work/tree.ts';
import { lastGreenWords } from '../judge/last-green.ts';
import type { Brief } from '../work/research.ts';

/** The whole file. */
export function renderHistoryFile(state: State, verification: Verification): string {
  const requirements = requirementsOf(verification).map(
    (id) => `- Proves ${id}: ${state.work.requirements.find((r) => r.id === id)?.title ?? ''}`,
  );
  const proofs = proofWords(state, verification).map(
    ({ name, outcome, why, when }) => `- ${name}${when && `, ${when}`}: ${outcome}. ${why}`,
  );
  const { status, trust } = standingOf(state, verification);
  return [
    `# ${verification.id}`,
    [verification.title, `Status: ${statusWords[status]}`, isPersons(verification) ? personWrote : ''].filter(Boolean).join('\n\n'),
    requirements.join('\n'),
    '## Trust',
    trustWords(trust),
    proofs.join('\n'),
    '## History',
    renderHistory(state, verification),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

/** @param shown a run whose evidence stands above it already. */
export function renderHistory(state: State, verification: Verification, shown?: Run): string {
  const entries = storyOf(state, verification).map((entry) => renderEntry(entry, state, verification, shown));
  if (entries.length === 0) return 'No attempt yet.';
  return [...entries, sentence(lastGreenWords(state, verification))].join('\n\n');
}

/** For whoever mends it: runs alone are no attempts to mend it, and the last one is shown whole above. */
export function triedSoFar(state: State, verification: Verification): string {
  if (storyOf(state, verification).some(({ type }) => type !== 'attempt'))
    return renderHistory(state, verification, lastRunOf(state, verification));
  return `Nothing was tried yet. ${sentence(lastGreenWords(state, verification))}`;
}

export function briefText(brief: Brief): string {
  return `#### ${brief.topic}\n\n${brief.findings}\n\nSource: ${sourceWords(brief)}`;
}

function renderEntry(entry: Entry, state: State, verification: Verification, shown: Run | undefined): string {
  switch (entry.type) {
    case 'attempt':
      return renderAttempt(entry, state, shown);
    case 'fix':
      return renderFix(entry.fix, state, verification);
    case 'setback':
      return `#### Change by ${authorWords(entry.change.author)}: undone\nOutcome: undone, ${entry.why}`;
    case 'edit':
      return editWords(entry.edit, entry.edit === openEdit(state, verification));
    case 'brief':
      return briefText(entry.brief);
    case 'judgement':
      return `### Judged ${entry.met ? 'met' : 'not met'} ${codeWords(entry.code, state)}\n\n${entry.evidence}`;
  }
}

/** The kind is left out when the summary begins with it, and the place when it is simply the sprint's tree. */
function renderAttempt({ run, rewritten }: Extract<Entry, { type: 'attempt' }>, state: State, shown: Run | undefined): string {
  const place = run.where === 'tree' && run.code !== null ? '' : ` (${placeWords(run, state)})`;
  const head = `### ${attemptWords(run)}${place}${rewritten ? ' (the verification was written again)' : ''}`;
  if (run.verdict === 'green') return head;
  if (run === shown) return `${head}\n\nAs shown above.`;
  const kind = run.kind ? failureWords[run.kind] : '';
  const summary = run.summary.startsWith(kind) ? run.summary : `${kind}\n${run.summary}`;
  return [head, summary, run.cases ? renderCases(run.cases, casesInHistory) : ''].filter(Boolean).join('\n\n');
}

const casesInHistory = 5;

function renderFix(fix: FixRecord, state: State, verification: Verification): string {
  const files = fix.files.map((f) => f.path).join(', ') || 'nothing';
  const verifications = madeFor(fix, state);
  return [
    `#### Fix: ${fix.fixApplied}`,
    `Why: ${fix.reasoning}`,
    verifications.length > 1 ? `${madeForWords(verifications)}: ${verifications.join(', ')}` : '',
    `Said to change: ${fix.filesChanged.join(', ') || 'nothing'}; really changed: ${files}`,
    `Outcome: ${fixWords(fix)}`,
    fix.upheld === undefined ? doubtAnswerWords(fix, verification.script) : '',
  ]
    .filter((line) => line !== '')
    .join('\n');
}
