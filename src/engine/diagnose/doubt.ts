/**
 * A fixer may answer that the check is wrong, not the work (I8: it cannot change it). QC then writes it again or answers that
 * it is right; asking QC has a tank of its own for each lineage, which nothing refills (I4). Pure (I3).
 */
import type { Tank } from '../state/events.ts';
import { canBurn, tank } from '../state/fuel.ts';
import type { State } from '../state/state.ts';
import { requirementsOf, type Verification } from '../work/verification.ts';
import type { FixRecord } from '../work/fix.ts';
import { failedFixes } from '../judge/failed-fixes.ts';
import { isExhausted } from '../judge/status.ts';
import { liveVerifications } from '../state/covers.ts';

/** What one look of QC at a doubted check burns. */
export function rewriteTank({ lineage }: Verification): Tank {
  return tank('rewrite', lineage);
}

/** The latest fix that calls this very script wrong and was not answered; a rewritten script is in no doubt. */
export function openDoubt(state: State, verification: Verification): FixRecord | undefined {
  return doubts(state, verification).findLast((fix) => fix.upheld === undefined);
}

/** Why this script may not be called wrong (again); undefined where it may. */
export function whyNoDoubt(state: State, verification: Verification): string | undefined {
  if (verification.kind === 'script' && verification.by === 'person')
    return `The person wrote ${verification.id}, and only they change it.`;
  const answered = doubts(state, verification).findLast((fix) => fix.upheld !== undefined);
  if (answered && !isExhausted(state, verification) && !failedSince(state, verification, answered))
    return `QC looked at ${verification.id} and answered that it is right: ${answered.upheld}`;
  if (canBurn(state.ledger, [rewriteTank(verification)])) return undefined;
  return `QC was asked about ${verification.id} as often as it may be.`;
}

/** How often QC's looks at this lineage answered a fixer: that the script is right, or by writing another. */
export function answeredDoubts({ ledger }: State, { lineage, script }: Verification): number {
  const own = (ledger.fixes[lineage] ?? []).filter((fix) => fix.lineage === lineage);
  return own.filter(({ answer, upheld }) => answer.kind === 'doubt' && (upheld !== undefined || answer.script !== script)).length;
}

/** What QC answers is put to the test while a fix is left: one for the same requirement that failed since is something new. */
function failedSince({ ledger, work }: State, verification: Verification, { step }: FixRecord): boolean {
  const at = (id: string): number => ledger.decisions.findIndex((decision) => decision.id === id);
  const about = liveVerifications(work).filter((c) => c.lineage === verification.lineage || shared(c, verification).length > 0);
  return about.some(({ lineage }) => failedFixes(ledger, lineage).some((fix) => at(fix.step) > at(step)));
}

/** Requirements that both prove. */
export function shared(one: Verification, other: Verification): string[] {
  return requirementsOf(one).filter((id) => requirementsOf(other).includes(id));
}

function doubts({ ledger }: State, { lineage, script }: Verification): FixRecord[] {
  return (ledger.fixes[lineage] ?? []).filter(({ answer }) => answer.kind === 'doubt' && answer.script === script);
}
