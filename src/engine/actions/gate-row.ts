/** When a gate of qualification is due: not passed, and all gates before it are; three tries each (design §5). */
import type { State } from '../state.ts';
import { gates, type Gate } from '../work/gate.ts';
import type { Due } from './action.ts';

export function gateDue({ work }: State, gate: Gate): Due[] {
  const next = gates.find((g) => !work.gates.includes(g));
  return next === gate && !work.tree.change
    ? [{ target: '', burns: [`gate/${gate}`], why: `the ${gate} gate is not passed` }]
    : [];
}

/** All gates are passed and no change waits to be settled: the row below qualification may be due. */
export function isQualified({ work }: State): boolean {
  return gates.every((g) => work.gates.includes(g)) && !work.tree.change;
}
