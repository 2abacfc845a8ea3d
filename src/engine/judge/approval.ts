/** Whether the plan has the person's approval, where they want to give it before anything is verified or built. */
import type { State } from '../state/state.ts';
import { isUnresolved, type HumanAction } from '../work/human-action.ts';

/** The request for it; undefined before it is made. */
export function approvalIn({ ledger }: Pick<State, 'ledger'>): HumanAction | undefined {
  return Object.values(ledger.humanActions).find(({ kind }) => kind === 'approval');
}

/** The plan lies before the person, who may change it until they approve it. */
export function isBeforePerson(state: Pick<State, 'ledger'>): boolean {
  const asked = approvalIn(state);
  return asked !== undefined && isUnresolved(asked);
}

/** It is approved, or needs no approval. */
export function isApproved(state: Pick<State, 'ledger' | 'config'>): boolean {
  return !state.config.approvePlan || approvalIn(state)?.status === 'fulfilled';
}
