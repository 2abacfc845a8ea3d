/** How much of its budget a sprint has used, and what a higher one would be. */
import type { SprintView } from './sprint-view.ts';

type Spend = Pick<SprintView['spend'], 'usd' | 'budgetUsd' | 'tokens' | 'budgetTokens'>;

/** Of money or tokens, whichever is nearer to its end. */
export function budgetShare({ usd, budgetUsd, tokens, budgetTokens }: Spend): number {
  return Math.max(usd / budgetUsd, tokens / budgetTokens);
}

/** From this share on a person is told, while there is still time. */
export const warningShare = 0.8;

/** Both are raised, within what a configuration may hold. */
export function raisedBudget({ budgetUsd, budgetTokens }: Spend, factor: number): { budgetUsd: number; budgetTokens: number } {
  return {
    budgetUsd: Math.min(budgetUsd * factor, 10_000),
    budgetTokens: Math.min(Math.ceil(budgetTokens * factor), 2_000_000_000),
  };
}
