/**
 * An action is one file: when it is due, what fuel it burns, and what it does then: one agent session, or runs of verifications,
 * or what needs neither. Only `decide` knows the order; no action starts another.
 */
import type { Context } from '../context.ts';
import type { Row } from '../core/decide.ts';
import type { Fact } from '../work/facts.ts';

export interface Action extends Row {
  /** It may run again for the same decision after a crash, and then finds through the context what it already did (I2). */
  run(target: string, context: Context): Promise<Fact[]>;
}
