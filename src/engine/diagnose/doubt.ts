/**
 * A fixer may answer that the verification is wrong, not the work, but cannot change it (I8). QC then writes it again or answers
 * that it is right. Asking QC has a tank of its own for each lineage (I4).
 */
import type { Tank } from '../state/events.ts';
import { canBurn, tank } from '../state/fuel.ts';
import type { State } from '../state/state.ts';
import { isPersons, requirementsOf, type Verification } from '../work/verification.ts';
import type { FixRecord } from '../work/fix.ts';
import { failedFixes } from '../judge/failed-fixes.ts';
import { isExhausted } from '../judge/status.ts';
import { liveVerifications } from '../state/covers.ts';

/** The tank that one review of a doubted verification burns. */
export function rewriteTank({ lineage }: Pick<Verification, 'lineage'>): Tank {
  return tank('rewrite', lineage);
}

/**
 * The latest doubt about exactly this script that QC has not answered. A rewritten script has none, and one of the person's is
 * theirs to answer.
 */
export function openDoubt(state: State, verification: Verification): FixRecord | undefined {
  if (isPersons(verification)) return undefined;
  return doubts(state, verification).findLast((fix) => fix.upheld === undefined);
}

/** Those that this session of QC is about: its target, and others that the decision burned for. One that was replaced is no longer. */
export function doubtedTogether({ work, open }: State, target: string): Verification[] {
  const burned = (open?.decision.burns ?? []).flatMap(({ kind, key }) => (kind === 'rewrite' ? [key] : []));
  const live = liveVerifications(work);
  const lead = live.filter(({ id }) => id === target);
  return [...lead, ...live.filter(({ id, lineage }) => id !== target && burned.includes(lineage))];
}

/** Why QC may not be asked about this script (again); undefined if it may. */
export function whyNoDoubt(state: State, verification: Verification): string | undefined {
  if (isPersons(verification)) return `The person wrote ${verification.id}, and only they change it.`;
  const answered = doubts(state, verification).findLast((fix) => fix.upheld !== undefined);
  if (answered && !isExhausted(state, verification) && !failedSince(state, verification, answered))
    return `QC looked at ${verification.id} and answered that it is right: ${answered.upheld}`;
  if (canBurn(state.ledger, [rewriteTank(verification)])) return undefined;
  return `QC was asked about ${verification.id} as often as it may be.`;
}

/** Whether the person was told already that exactly this script of theirs may be wrong. */
export function isPersonTold(state: State, verification: Verification): boolean {
  return isPersons(verification) && doubts(state, verification).length > 0;
}

/** How many doubts about this lineage QC has answered: that the script is right, or by writing another one. */
export function answeredDoubts({ ledger }: State, { lineage, script }: Verification): number {
  const own = (ledger.fixes[lineage] ?? []).filter((fix) => fix.lineage === lineage);
  return own.filter(({ answer, upheld }) => answer.kind === 'doubt' && (upheld !== undefined || answer.script !== script)).length;
}

/** Whether a fix for the same requirement has failed since QC's answer: that is new evidence for a doubt. */
function failedSince({ ledger, work }: State, verification: Verification, { step }: FixRecord): boolean {
  const at = (id: string): number => ledger.decisions.findIndex((decision) => decision.id === id);
  const about = liveVerifications(work).filter((v) => v.lineage === verification.lineage || shared(v, verification).length > 0);
  return about.some(({ lineage }) => failedFixes(ledger, lineage).some((fix) => at(fix.step) > at(step)));
}

/** Requirements that both prove. */
export function shared(one: Verification, other: Verification): string[] {
  return requirementsOf(one).filter((id) => requirementsOf(other).includes(id));
}

function doubts({ ledger }: State, { lineage, script }: Verification): FixRecord[] {
  return (ledger.fixes[lineage] ?? []).filter(({ answer }) => answer.kind === 'doubt' && answer.script === script);
}
