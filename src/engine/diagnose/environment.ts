/**
 * A fixer may answer that the environment is at fault, with a command that tells once it is mended. The engine tries once to
 * mend it, then asks the person; no other fixer is called meanwhile. Each answer burns a tank of its lineages (I4).
 */
import type { Tank } from '../state/events.ts';
import { canBurn, tank } from '../state/fuel.ts';
import type { State } from '../state/state.ts';
import type { FixRecord } from '../work/fix.ts';

export interface Claim extends FixRecord {
  answer: Extract<FixRecord['answer'], { kind: 'environment' }>;
}

/** Answers that the engine has not acted on yet. */
export function openClaims(state: State): Claim[] {
  return claims(state).filter(({ tried }) => tried === undefined);
}

/** The latest such answer of a fixer of this verification or service. */
export function claimOf(state: State, verification: string): Claim | undefined {
  return claims(state).findLast((claim) => claim.verification === verification);
}

/** All answers, each once, though it is in the history of every lineage that its fix was made for. */
function claims({ ledger }: State): Claim[] {
  return Object.entries(ledger.fixes).flatMap(([lineage, fixes]) =>
    fixes.filter((fix): fix is Claim => fix.lineage === lineage && fix.answer.kind === 'environment'),
  );
}

export function environmentTank(lineage: string): Tank {
  return tank('environment', lineage);
}

/** Why the environment may not be called at fault (again) for these lineages; undefined if it may. */
export function whyNoClaim({ ledger }: State, lineages: readonly string[]): string | undefined {
  const empty = lineages.find((lineage) => !canBurn(ledger, [environmentTank(lineage)]));
  return empty && `The environment of ${empty} was looked at as often as it may be: the install ran again, and your command was run.`;
}
