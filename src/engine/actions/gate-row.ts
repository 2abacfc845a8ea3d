/** A gate of qualification is due when it is not passed and all gates before it are. Each gate gets three tries. */
import { tank } from '../state/fuel.ts';
import type { State } from '../state/state.ts';
import { gates, type Gate } from '../work/gate.ts';
import type { Due } from '../core/decide.ts';

export function gateDue({ work }: State, gate: Gate): Due[] {
  const next = gates.find((g) => !work.gates.includes(g));
  return next === gate && !work.tree.change ? [{ target: '', burns: [tank('gate', gate)], why: lacking[gate] }] : [];
}

const lacking: Record<Gate, string> = {
  inputs: 'nothing was read yet',
  discovery: 'nobody found out yet what is to be delivered',
  plan: 'there is no plan yet',
  prepare: 'the worktree is not prepared yet',
};
