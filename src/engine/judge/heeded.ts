/** Which human actions a sprint waits for now. What its planner asked for is waited for once the plan is settled. */
import type { State } from '../state/state.ts';
import { isQualified } from '../work/gate.ts';
import { isUnresolved, type HumanAction } from '../work/human-action.ts';

/** Human actions that something waits for now. Before the sprint is qualified: what is open in the documents, and the plan. */
export function heeded(state: State): HumanAction[] {
  const open = Object.values(state.ledger.humanActions).filter(isUnresolved);
  return isQualified(state) ? open : open.filter(({ kind }) => kind === (state.work.gates.includes('plan') ? 'approval' : 'choice'));
}
