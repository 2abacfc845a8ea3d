/** The verifications that there are, for QC: how each stands, and what weak ones do not see, each fault once. */
import { faultWords } from '../judge/fault-words.ts';
import { isTooWeak, strengthOf } from '../judge/strength.ts';
import { proofsOf, trustOf } from '../judge/trust.ts';
import { offersPerLineage } from '../prove/offered.ts';
import { liveVerifications } from '../state/covers.ts';
import type { State } from '../state/state.ts';
import { isPersons, requirementsOf, type Verification } from '../work/verification.ts';

export function existingText(state: State): string {
  const faults: string[] = [];
  const numberOf = (fault: string): string => {
    if (!faults.includes(fault)) faults.push(fault);
    return `F${faults.indexOf(fault) + 1}`;
  };
  const lines = liveVerifications(state.work)
    .filter((verification) => verification.kind !== 'suite')
    .map((verification) => {
      const result = state.work.results[verification.id]?.verdict ?? 'not run';
      const whose = isPersons(verification) ? ', written by the person' : '';
      return `- ${verification.id} (${requirementsOf(verification).join(', ')}${whose}): ${result}; ${proofWords(state, verification, numberOf)}`;
    });
  const list = faults.map((fault, index) => `- F${index + 1}: ${fault}`);
  return [...lines, ...(list.length > 0 ? ['', 'Faults that were put into the work:', '', ...list] : [])].join('\n') || 'None yet.';
}

/** What it does not see, and what of that decides, is said where a requirement of it needs more. */
function proofWords(state: State, verification: Verification, numberOf: (fault: string) => string): string {
  const { trusted, why } = trustOf(state, verification);
  if (!trusted) {
    const base = proofsOf(state, verification).length === 0 ? 'not proven yet: the engine does that by itself' : `not trusted: ${why}`;
    return [base, ...offersWords(state, verification)].join('; ');
  }
  const strength = strengthOf(state, verification);
  if (!strength || !requirementsOf(verification).some((id) => isTooWeak(state, id))) return 'trusted';
  const faults = strength.unseen.map(faultWords);
  const since = faults.reduce((words, fault) => words.replaceAll(fault, numberOf(fault)), strength.why);
  return [
    `trusted; its proof is ${strength.level}${since === '' ? '' : `, since ${since}`}`,
    ...(faults.length > 0 ? [`stays green with ${faults.map(numberOf).join(', ')}`] : []),
  ].join('; ');
}

/** What was offered to prove it, and what became of that: nobody shall offer the same again, and each lineage gets few offers. */
function offersWords({ ledger }: State, { lineage, script }: Verification): string[] {
  const offers = ledger.offers.filter((offer) => offer.lineage === lineage).length;
  const earlier = ledger.proofs.filter((proof) => proof.lineage === lineage && proof.script !== script && proof.kind === 'offered');
  const told = earlier.map(({ why }) => `of an earlier text: ${why}`);
  return offers === 0 ? [] : [`${offers} of ${offersPerLineage} faults offered for it`, ...told];
}
