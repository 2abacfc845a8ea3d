/**
 * An action is one file: when it is due, what fuel it burns, and what it runs: one agent session or one batch of verifications.
 * Only `decide` knows the order; an action never calls another.
 */
import type { Context } from '../context.ts';
import type { Row } from '../core/decide.ts';
import type { Fact } from '../work/facts.ts';

export interface Action extends Row {
  /** It may run again for the same decision after a crash, and then finds through the context what it already did (I2). */
  run(target: string, context: Context): Promise<Fact[]>;
}
