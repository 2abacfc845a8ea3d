/**
 * Records of fixes, by lineage: what a fixer reported, what became of its change, and what was answered to its doubt. A part of
 * the ledger, updated in place.
 */
import type { AmendmentRecord } from '../work/amendment.ts';
import type { FactOf } from '../work/facts.ts';
import { answerWords, type FixRecord, type FixReport } from '../work/fix.ts';
import type { Probed } from '../work/service.ts';
import { lineagesOf, type Change } from '../work/tree.ts';
import type { Run } from '../work/verification.ts';
import type { StepId } from './events.ts';

/** Parts of the ledger. */
interface Fixes {
  fixes: Record<string, FixRecord[]>;
  runs: Record<string, Run[]>;
  probes: Record<string, Probed[]>;
  amendments: AmendmentRecord[];
}

export function enterFix(ledger: Fixes, step: StepId, report: FixReport): void {
  const why = answerWords(report.answer) ?? 'no file was changed';
  for (const lineage of [report.lineage, ...report.also]) {
    const after = attemptsOf(ledger, lineage);
    const others = (ledger.fixes[lineage] ?? []).filter((record) => record.step !== step);
    ledger.fixes[lineage] = [...others, { ...report, step, after, outcome: 'no change', why, files: [] }];
  }
}

/** Records QC's answer in every fix that doubts this script. */
export function uphold(ledger: Fixes, { lineage, script, why }: FactOf<'verification.upheld'>): void {
  for (const fix of ledger.fixes[lineage] ?? [])
    if (fix.answer.kind === 'doubt' && fix.answer.script === script && fix.upheld === undefined)
      Object.assign(fix, { upheld: why, why: `${fix.why}; QC answers that it is right: ${why}` });
}

export function upholdDeclaration({ fixes, amendments }: Fixes, { lineage, why }: FactOf<'declaration.upheld'>): void {
  for (const fix of fixes[lineage] ?? [])
    if (fix.answer.kind === 'declaration' && fix.answer.amendments === amendments.length && fix.upheld === undefined)
      Object.assign(fix, { upheld: why, why: `${fix.why}; QC answers that it is right: ${why}` });
}

export function markIdle({ fixes }: Fixes, { step }: FactOf<'fix.idle'>): void {
  for (const fix of Object.values(fixes).flat()) if (fix.step === step) fix.idle = true;
}

export function enterTried({ fixes }: Fixes, { step, fine, why }: FactOf<'environment.tried'>): void {
  for (const fix of Object.values(fixes).flat()) if (fix.step === step) fix.tried = { fine, why };
}

/** The report comes before the change; only the change shows that the fixer really changed something. */
export function openFix(ledger: Fixes, { author, step }: Change): void {
  for (const lineage of lineagesOf(author)) {
    const record = ledger.fixes[lineage]?.find((r) => r.step === step);
    if (record) Object.assign(record, { outcome: 'open', why: '' });
  }
}

type FixChange = Pick<Change, 'step' | 'author' | 'files' | 'patch'>;

/** Closes the record of a fixer's change. One that the fixer never reported gets a record now. */
export function closeFix(ledger: Fixes, { step, author, files, patch }: FixChange, outcome: 'kept' | 'undone', why: string): void {
  if (author.kind !== 'fix') return;
  const { lineage: leader, verification, also } = author;
  const end = { outcome, why, files, patch };
  const unreported = {
    lineage: leader,
    verification,
    also,
    signature: '',
    fixApplied: '(not reported)',
    filesChanged: [],
    reasoning: '',
    step,
  };
  for (const lineage of lineagesOf(author)) {
    const records = (ledger.fixes[lineage] ??= []);
    const open = records.find((r) => r.step === step);
    if (open) Object.assign(open, end);
    else records.push({ ...unreported, answer: { kind: 'fixed' }, after: attemptsOf(ledger, lineage), ...end });
  }
}

/** Runs of a verification, or probes of a service. */
export function attemptsOf({ runs, probes }: Fixes, lineage: string): number {
  return (runs[lineage] ?? probes[lineage] ?? []).length;
}
