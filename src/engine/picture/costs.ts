/** What the parts of a sprint cost. Each model call belongs to one decision, so every way to divide adds up to the whole. */
import type { ActionId } from '../state/rows.ts';
import type { State } from '../state/state.ts';
import { sumOf, tokensOf, type Spend } from '../work/spend.ts';
import type { Task } from '../work/task.ts';

export interface Cost<Of> {
  readonly of: Of;
  readonly spend: Spend;
}

export interface Costs {
  /** The dearest first. */
  readonly steps: readonly Cost<ActionId>[];
  readonly roles: readonly Cost<string>[];
  /** By the plan: its phases, and in each the tasks that were built. Mending and judging serve several tasks, and are in no task. */
  readonly phases: readonly (Cost<string> & { readonly tasks: readonly Cost<Task>[] })[];
}

export function costsOf({ work, ledger }: State): Costs {
  const paid = ledger.decisions.flatMap(({ decision, spend }) => (spend ? [{ decision, spend }] : []));
  const steps = grouped(paid, ({ decision }) => decision.action);
  const builds = new Map(
    grouped(
      paid.filter(({ decision }) => decision.action === 'execute'),
      ({ decision }) => decision.target,
    ).map(({ of, spend }) => [of, spend]),
  );
  const tasks = Object.values(work.tasks).flatMap((task) => {
    const spend = builds.get(task.id);
    return spend ? [{ of: task, spend }] : [];
  });
  const names = [...new Set(tasks.map(({ of }) => of.phase))];
  return {
    steps: dearestFirst(steps),
    roles: dearestFirst(Object.entries(ledger.spendByRole).map(([of, spend]) => ({ of, spend }))),
    phases: names.map((name) => {
      const own = tasks.filter(({ of }) => of.phase === name);
      return { of: name, spend: sumOf(own.map(({ spend }) => spend)), tasks: own };
    }),
  };
}

function grouped<T extends { spend: Spend }, Of>(all: readonly T[], keyOf: (one: T) => Of): Cost<Of>[] {
  const groups = new Map<Of, Spend[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one.spend]);
  return [...groups].map(([of, spends]) => ({ of, spend: sumOf(spends) }));
}

function dearestFirst<Of>(costs: readonly Cost<Of>[]): Cost<Of>[] {
  return costs.toSorted((a, b) => b.spend.usd - a.spend.usd || tokensOf(b.spend) - tokensOf(a.spend));
}
