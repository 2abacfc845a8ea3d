/**
 * An action is one file: when it is due, what fuel it burns, what it runs: one agent session or one batch of checks.
 * Sequence lives only in `decide`; an action never calls another.
 */
import type { Context } from '../context.ts';
import type { Row } from '../core/decide.ts';
import type { Fact } from '../work/facts.ts';

export interface Action extends Row {
  /** May be run again for the same decision after a crash: finds what it already did through the context (I2). */
  run(target: string, context: Context): Promise<Fact[]>;
}
