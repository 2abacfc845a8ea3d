/** A mutant of the engine changes what some functions, rows or tools do. It is applied when its bundle starts. */
import { tidy } from '../../src/engine/actions/change.ts';
import type { Action } from '../../src/engine/actions/action.ts';
import type { Context } from '../../src/engine/context.ts';
import type { Ground } from '../../src/engine/run/ground.ts';
import { enter } from '../../src/engine/state/ledger.ts';
import type { Fact } from '../../src/engine/work/facts.ts';
import type { Ports } from '../../src/engine/ports.ts';
import type { Tank } from '../../src/engine/state/events.ts';
import type { TankKind } from '../../src/engine/state/tanks.ts';
import type { State } from '../../src/engine/state/state.ts';
import { change, overriding, swap } from '../support/swap.ts';
import type { Guarantee } from './oracle/oracle.ts';
import type { Scenario } from './scenario.ts';

export interface Mutant {
  name: string;
  /** The guarantee that no longer holds, in words. */
  what: string;
  /** What kills it; anything else that breaks, such as the mutant itself, proves nothing. */
  breaks: readonly Guarantee[];
  apply: () => void;
  /** Parameters of the scenario that this mutant needs and that are rarely drawn. */
  world?: Partial<Scenario>;
}

/** The row burns none of these tanks. */
export function free(row: Action, ...kinds: TankKind[]): void {
  const isBurned = ({ kind }: Tank): boolean => !kinds.includes(kind);
  change(row, ({ due }) => ({
    due: (state) => due(state).map((candidate) => ({ ...candidate, burns: candidate.burns.filter(isBurned) })),
  }));
}

/** The row runs with a repository whose methods `replace` replaces. */
export function withRepo(row: Action, replace: (repo: Ports['repo']) => Partial<Ports['repo']>): void {
  change(row, ({ run }) => ({
    run: (target, context) => {
      const { ports } = context;
      const repo = overriding(ports.repo, replace(ports.repo));
      return run(target, overriding<Context>(context, { ports: { ...ports, repo } }));
    },
  }));
}

/** Any number of tasks may be added after the plan. */
export function withEndlessMint(state: State): State {
  return { ...state, ledger: { ...state.ledger, sizes: { ...state.ledger.sizes, mint: Infinity } } };
}

type FactNamed<N extends Fact['fact']> = Extract<Fact, { fact: N }>;

/** Changes the ledger after each fact of this name. */
export function afterFact<N extends Fact['fact']>(name: N, then: (ledger: State['ledger'], fact: FactNamed<N>) => void): void {
  swap(enter, (sound) => (ledger, fact) => {
    sound(ledger, fact);
    if (fact.fact === name) then(ledger, fact as FactNamed<N>);
  });
}

/** The tree as it is recorded. */
export async function tidyNow(context: Context): Promise<void> {
  const { tree } = context.state.work;
  const committed = tree.change && (await context.ports.repo.findCommit(tree.change.step));
  await tidy(context, committed ? null : tree.change);
}

/** Verifications run where they are, and what they write stays. */
export function withoutViews(ground: Ground): Ground {
  const { runner } = ground.ports;
  const shared: Ports['runner'] = { run: (job, signal) => runner.run({ ...job, view: false }, signal) };
  return overriding(ground, { ports: overriding(ground.ports, { runner: shared }) });
}
