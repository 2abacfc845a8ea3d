/** How a verification stands now, in words: its status, or what keeps it from being run. Pure. */
import type { State } from '../state/state.ts';
import { closedGates, gateOf } from '../judge/gates.ts';
import { statusOf } from '../judge/status.ts';
import type { Check } from '../work/check.ts';
import { statusWords } from './words.ts';

export function standing(state: State, check: Check): string {
  const status = statusOf(state, check);
  const gate = status === 'pending' ? gateOf(check, closedGates(state)) : undefined;
  return gate ? `not run: gated by ${gate.id}` : statusWords[status];
}
