/** What was tried on a service: each probe of it, and between the probes what each fix changed and whether it was kept. */
import type { State } from '../state/state.ts';
import type { FixRecord } from '../work/fix.ts';
import { serviceLineage, type ServiceProbe } from '../work/service.ts';
import { fixWords } from './words.ts';

export function renderServiceHistory({ ledger }: State, name: string): string {
  const lineage = serviceLineage(name);
  const probes = ledger.probes[lineage] ?? [];
  const fixes = ledger.fixes[lineage] ?? [];
  const entries = probes.flatMap((probe, i) => [probeLine(probe, i + 1), ...fixes.filter((f) => f.after === i + 1).map(fixLines)]);
  return entries.join('\n\n') || 'Nothing was tried yet.';
}

function probeLine({ up, code, cause, why }: ServiceProbe, n: number): string {
  const where = code === null ? 'on a change that was not kept' : `on code ${code}`;
  return up ? `### Probe ${n}, ${where}: up` : `### Probe ${n}, ${where}: down, ${cause ?? 'unknown'}\n\n${why}`;
}

function fixLines(fix: FixRecord): string {
  const files = fix.files.map((f) => f.path).join(', ') || 'nothing';
  return [`#### Fix: ${fix.fixApplied}`, `Why: ${fix.reasoning}`, `Really changed: ${files}`, `Outcome: ${fixWords(fix)}`].join('\n');
}
