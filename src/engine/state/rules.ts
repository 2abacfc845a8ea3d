/**
 * Rules that changed what is decided on the same facts. A sprint goes by those of the version that opened it, so an older journal
 * decides as it did. A rule that a tank or a fact tells by itself needs no number.
 */
import type { EventOf } from './events.ts';

/** By the number of the first version of the rules that has it. */
const since = {
  /** Looking at work that is green already is no slow decision. */
  'green looks': 1,
  /** Verifications that one fixer doubts for one reason go to QC together. */
  'doubts together': 2,
  /** What is polish goes to the report: it gets no task beside worse findings, and no verification of its own. */
  'polish stays': 3,
} as const;

/** What a sprint opens with now. */
export const presentRules = 3;

export function goesBy({ rules = 0 }: Pick<EventOf<'run.opened'>, 'rules'>, rule: keyof typeof since): boolean {
  return rules >= since[rule];
}
