/**
 * How long a sprint ran, by the times of its events. It is work of the sprint, so two spans are left out: while it waited for a
 * person, and while no process ran it.
 */
import { counted } from '../ground/text.ts';
import type { Event } from './events.ts';
import type { Ledger } from './ledger.ts';
import type { Ran } from '../work/spend.ts';
import type { State } from './state.ts';

/** Before the event changes the state: what was open until then tells what the time went into. */
export function countTime({ ledger, open }: Pick<State, 'ledger' | 'open'>, event: Event): void {
  // What the person says may be written while nothing runs, so only steps tell the time.
  if (event.type === 'person.said') return;
  const { ran } = ledger;
  const isIdle = (event.type === 'step.begun' && event.step.kind === 'resume') || open?.decision.action === 'wait';
  if (!isIdle) ran.ms += Math.max(0, event.at - ran.until);
  ran.until = event.at;
  if (isOutOfTime(ledger)) ledger.budgetReached ??= outOfTimeWords(ledger);
}

export function isOutOfTime({ ran, budget }: Pick<Ledger, 'ran' | 'budget'>): boolean {
  return hoursOf(ran) >= budget.hours;
}

export function outOfTimeWords({ budget }: Pick<Ledger, 'budget'>): string {
  return `It ran for ${hoursWords(budget.hours)}, as long as it may.`;
}

export function hoursOf({ ms }: Ran): number {
  return ms / 3_600_000;
}

/** `1 hour`, `2.25 hours`. */
export function hoursWords(hours: number): string {
  return counted(Math.round(hours * 100) / 100, 'hour');
}
