/** When a gate of qualification is due: not passed, and all gates before it are; three tries each (design §5). */
import { tank } from '../state/fuel.ts';
import type { State } from '../state/state.ts';
import { gates, type Gate } from '../work/gate.ts';
import type { Due } from '../core/decide.ts';

export function gateDue({ work }: State, gate: Gate): Due[] {
  const next = gates.find((g) => !work.gates.includes(g));
  return next === gate && !work.tree.change ? [{ target: '', burns: [tank('gate', gate)], why: `the ${gate} gate is not passed` }] : [];
}
