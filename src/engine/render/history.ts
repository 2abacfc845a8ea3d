/** A verification's story: every attempt, and between them what each fix changed, why, and whether it was kept (spec/3). */
import type { State } from '../state.ts';
import { lastGreenWords } from '../verify/last-green.ts';
import type { Check, CheckRun } from '../work/check.ts';
import type { FixRecord } from '../work/fix.ts';
import { briefsFor, type Brief } from '../work/research.ts';
import { sentence } from './words.ts';

export function renderHistory(state: State, check: Check): string {
  const runs = state.ledger.runs[check.lineage] ?? [];
  const fixes = state.ledger.fixes[check.lineage] ?? [];
  const edits = state.ledger.edits?.[check.lineage] ?? [];
  const entries = runs.flatMap((run, i) => [
    ...edits.filter((e) => e.after === run.n - 1).map(editLine),
    attempt(run, runs[i - 1]),
    ...fixes.filter((f) => f.after === run.n).map(fixLines),
  ]);
  const briefs = briefsFor(state.ledger.briefs, check.lineage).map(briefText);
  if (entries.length === 0) return 'No attempt yet.';
  return [...entries, ...briefs, sentence(lastGreenWords(state, check))].join('\n\n');
}

export function briefText({ topic, findings, sources, by }: Brief): string {
  const from = by === 'person' ? 'the person' : sources.join(', ') || 'no source was looked up';
  return `#### ${topic}\n\n${findings}\n\nSource: ${from}`;
}

function editLine({ kept }: { kept: string }): string {
  return `The file of the verification was edited; that text is kept as ${kept}, and did not run.`;
}

function attempt(run: CheckRun, before: CheckRun | undefined): string {
  const status = run.timedOut ? 'timed out' : run.exit === null ? 'killed' : `exit status ${run.exit}`;
  const where = { tree: '', revert: ' (the work it covers taken out)', clean: ' (clean checkout)' }[run.where];
  const head = `### Attempt ${run.n}: ${run.verdict}, ${status}${where}${before && before.script !== run.script ? ' (the verification was written again)' : ''}`;
  return run.verdict === 'green' ? head : `${head}\n\n${run.summary}`;
}

function fixLines(fix: FixRecord): string {
  const files = fix.files.map((f) => f.path).join(', ') || 'nothing';
  return [
    `#### Fix: ${fix.fixApplied}`,
    `Why: ${fix.reasoning}`,
    ...(fix.also ? [`Made for ${[fix.check, ...fix.also].join(', ')}, which failed for the same cause`] : []),
    `Said to change: ${fix.filesChanged.join(', ') || 'nothing'}; really changed: ${files}`,
    `Outcome: ${fix.outcome}${fix.why ? `, ${fix.why}` : ''}`,
  ].join('\n');
}
