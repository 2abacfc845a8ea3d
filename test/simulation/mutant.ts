/** What a mutant of the engine is: a change of what some functions, rows or tools do, made when its bundle begins. */
import type { Action } from '../../src/engine/actions/action.ts';
import type { Context } from '../../src/engine/context.ts';
import type { Ports } from '../../src/engine/ports.ts';
import type { Tank, TankKind } from '../../src/engine/state/events.ts';
import type { State } from '../../src/engine/state/state.ts';
import { change, overriding } from '../support/swap.ts';
import type { Scenario } from './scenario.ts';

export interface Mutant {
  name: string;
  /** What no longer holds. */
  what: string;
  make: () => void;
  /** What is rare in the drawn worlds and matters here. */
  world?: Partial<Scenario>;
}

/** The row burns none of these. */
export function free(row: Action, ...kinds: TankKind[]): void {
  const isBurned = ({ kind }: Tank): boolean => !kinds.includes(kind);
  change(row, ({ due }) => ({ due: (state) => due(state).map((one) => ({ ...one, burns: one.burns.filter(isBurned) })) }));
}

/** The row runs with a repository that does otherwise. */
export function withRepo(row: Action, make: (repo: Ports['repo']) => Partial<Ports['repo']>): void {
  change(row, ({ run }) => ({
    run: (target, context) => {
      const { ports } = context;
      const repo = overriding(ports.repo, make(ports.repo));
      return run(target, overriding<Context>(context, { ports: { ...ports, repo } }));
    },
  }));
}

/** As many tasks as anybody likes may be added after the plan. */
export function withEndlessMint(state: State): State {
  return { ...state, ledger: { ...state.ledger, sizes: { ...state.ledger.sizes, mint: Infinity } } };
}
