/** How much of its budget a sprint has used, and what a higher one would be. */
import { mostHours } from '../../engine/ground/hours.ts';
import type { SprintView } from './sprint-view.ts';

type Spend = Omit<SprintView['spend'], 'unpriced' | 'calls'>;

/** Of money, tokens or hours, whichever is nearest to its end. */
export function budgetShare({ usd, budgetUsd, tokens, budgetTokens, hours, maxHours }: Spend): number {
  return Math.max(usd / budgetUsd, tokens / budgetTokens, hours / maxHours);
}

/**
 * The hours that a resume takes: those chosen at the start, or the setting where that was raised since, as the later word.
 * @returns undefined where none were chosen, and the setting holds.
 */
export function chosenHours(
  { maxHours, settingHours }: { maxHours?: number | undefined; settingHours?: number | undefined },
  setting: number,
): number | undefined {
  const isRaised = settingHours !== undefined && setting > settingHours;
  return maxHours === undefined || !isRaised ? maxHours : Math.max(maxHours, setting);
}

/** From this share on a person is told, while there is still time. */
export const warningShare = 0.8;

export interface RaisedBudget {
  budgetUsd: number;
  budgetTokens: number;
  maxHours: number;
}

/** All are raised, within what a configuration may hold. */
export function raisedBudget({ budgetUsd, budgetTokens, maxHours }: Spend, factor: number): RaisedBudget {
  return {
    budgetUsd: Math.min(budgetUsd * factor, 10_000),
    budgetTokens: Math.min(Math.ceil(budgetTokens * factor), 2_000_000_000),
    maxHours: Math.min(maxHours * factor, mostHours),
  };
}
