/**
 * A fixer may answer that a declaration is wrong: how a suite is run, how a service is started and asked, what is installed. Only
 * QC decides that, in a session on the lineage's own fuel, and may amend what discovery declared (docs/decisions/0014).
 */
import { amendTank, canBurn } from '../state/fuel.ts';
import type { State } from '../state/state.ts';
import type { FixRecord } from '../work/fix.ts';
import { rewriteTank } from './doubt.ts';

export interface DeclarationDoubt extends FixRecord {
  answer: Extract<FixRecord['answer'], { kind: 'declaration' }>;
}

/** Unanswered doubts about the declarations as they are; an amendment answers all of them. */
export function declarationDoubts(state: State): DeclarationDoubt[] {
  return Object.entries(state.ledger.fixes).flatMap(([lineage, fixes]) =>
    fixes.filter((fix): fix is DeclarationDoubt => fix.lineage === lineage && isAbout(state, fix) && fix.upheld === undefined),
  );
}

/** QC can still answer the doubt, so no other fixer is called. */
export function isForQc(state: State, lineage: string): boolean {
  return canBurn(state.ledger, [rewriteTank({ lineage })]) && declarationDoubts(state).some((doubt) => doubt.lineage === lineage);
}

/** Why a fixer of this lineage may not doubt the declarations (again); undefined if they may. */
export function whyNoDeclarationDoubt(state: State, lineage: string): string | undefined {
  const answered = state.ledger.fixes[lineage]?.findLast((fix) => isAbout(state, fix) && fix.upheld !== undefined);
  if (answered) return `QC looked at the declarations and answered that they are right: ${answered.upheld}`;
  if (!canBurn(state.ledger, [amendTank])) return 'What discovery declared was amended as often as it may be.';
  return canBurn(state.ledger, [rewriteTank({ lineage })]) ? undefined : `QC was asked about ${lineage} as often as it may be.`;
}

function isAbout({ ledger }: State, { answer }: FixRecord): boolean {
  return answer.kind === 'declaration' && answer.amendments === ledger.amendments.length;
}
