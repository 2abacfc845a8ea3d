/**
 * An action is one file: when it is due, what fuel it burns, what it runs: one agent session or one batch of checks.
 * Sequence lives only in `decide`; an action never calls another.
 */
import type { Context } from '../context.ts';
import type { ActionId, Tank } from '../events.ts';
import type { State } from '../state.ts';
import type { Fact } from '../work/facts.ts';

/** One thing that could be done now. `burns` are the row's own tanks; the kernel adds `sprint`. */
export interface Due {
  target: string;
  burns: Tank[];
  why: string;
}

/** The part of an action that decides: pure. */
export interface Row {
  readonly id: ActionId;
  /** Not due once the money or token budget is reached. */
  readonly asksModel: boolean;
  due(state: State): Due[];
}

export interface Action extends Row {
  /** May be run again for the same decision after a crash: finds what it already did through the context (I2). */
  run(target: string, context: Context): Promise<Fact[]>;
}
