/**
 * A fixer may answer that the check is wrong, not the work (I8: it cannot change it). QC then writes it again or answers that
 * it is right; asking QC has a tank of its own for each lineage, which nothing refills (I4). Pure (I3).
 */
import type { Tank } from '../state/events.ts';
import { canBurn } from '../state/fuel.ts';
import type { State } from '../state/state.ts';
import type { Check } from '../work/check.ts';
import type { FixRecord } from '../work/fix.ts';
import { failedFixes } from '../judge/failed-fixes.ts';
import { isExhausted } from '../judge/status.ts';
import { liveChecks } from '../state/covers.ts';

/** What one look of QC at a doubted check burns. */
export function rewriteTank({ lineage }: Check): Tank {
  return `rewrite/${lineage}`;
}

/** The latest fix that calls this very script wrong and was not answered; a rewritten script is in no doubt. */
export function openDoubt(state: State, check: Check): FixRecord | undefined {
  return doubts(state, check).findLast((fix) => fix.upheld === undefined);
}

/** Why this script may not be called wrong (again); undefined where it may. */
export function whyNoDoubt(state: State, check: Check): string | undefined {
  if (check.by === 'person') return `The person wrote ${check.id}, and only they change it.`;
  const answered = doubts(state, check).findLast((fix) => fix.upheld !== undefined);
  if (answered && !isExhausted(state, check) && !failedSince(state, check, answered))
    return `QC looked at ${check.id} and answered that it is right: ${answered.upheld}`;
  if (canBurn(state.ledger, [rewriteTank(check)])) return undefined;
  return `QC was asked about ${check.id} as often as it may be.`;
}

/** How often QC's looks at this lineage answered a fixer: that the script is right, or by writing another. */
export function answeredDoubts({ ledger }: State, { lineage, script }: Check): number {
  const own = (ledger.fixes[lineage] ?? []).filter((fix) => fix.lineage === lineage);
  return own.filter(({ wrong, upheld }) => wrong && (upheld !== undefined || wrong.script !== script)).length;
}

/** What QC answers is put to the test while a fix is left: one for the same requirement that failed since is something new. */
function failedSince({ ledger, work }: State, check: Check, { step }: FixRecord): boolean {
  const at = (id: string): number => ledger.decisions.findIndex((decision) => decision.id === id);
  const about = liveChecks(work).filter((c) => c.lineage === check.lineage || shared(c, check).length > 0);
  return about.some(({ lineage }) => failedFixes(ledger, lineage).some((fix) => at(fix.step) > at(step)));
}

/** Requirements that both prove. */
export function shared(one: Check, other: Check): string[] {
  return one.prd.filter((id) => other.prd.includes(id));
}

function doubts({ ledger }: State, { lineage, script }: Check): FixRecord[] {
  return (ledger.fixes[lineage] ?? []).filter((fix) => fix.wrong?.script === script);
}
