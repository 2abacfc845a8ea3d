/** How a verification stands now, in words: its status, or what keeps it from being run. Pure. */
import type { State } from '../state.ts';
import { closedGates, gateOf } from '../verify/gates.ts';
import { statusOf } from '../verify/status.ts';
import type { Check } from '../work/check.ts';
import { statusWords } from './words.ts';

export function standing(state: State, check: Check): string {
  const status = statusOf(state, check);
  const gate = status === 'pending' ? gateOf(check, closedGates(state)) : undefined;
  return gate ? `not run: gated by ${gate.id}` : statusWords[status];
}
