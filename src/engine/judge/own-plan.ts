/** Whether who made the plan judges it too, in place of a session of its own (docs/decisions/0051). */
import { canBurn, tank } from '../state/fuel.ts';
import type { State } from '../state/state.ts';
import { smallSprint } from './last-look.ts';

/** Older sprints, without this tank, have no review of the plan. */
export function mayJudgeOwnPlan({ config, ledger }: State): boolean {
  return config.qualify === 'lean' && canBurn(ledger, [tank('lenses')]);
}

export function judgesOwnPlan(state: State): boolean {
  return mayJudgeOwnPlan(state) && Object.keys(state.work.tasks).length <= smallSprint;
}
