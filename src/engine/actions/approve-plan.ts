/** Asks the person to approve the plan, where they want to be asked; nothing is verified or built by it before they do. */
import { approvalIn } from '../judge/approval.ts';
import { tank } from '../state/fuel.ts';
import { approvalOf, humanActionId } from '../work/human-action.ts';
import type { Action } from './action.ts';

export const approvePlan: Action = {
  id: 'approve-plan',
  asksModel: false,
  afterQualifying: false,
  due(state) {
    const { config, ledger, work } = state;
    if (!config.approvePlan || !work.gates.includes('plan') || work.tree.change || approvalIn(state)) return [];
    // A review that the budget keeps from its end may still change the plan.
    return ledger.budgetReached === null ? [{ target: '', burns: [tank('gate', 'approval')], why: 'you want to approve the plan' }] : [];
  },
  async run(_target, { state }) {
    const asked = {
      id: humanActionId(state.ledger.humanActions),
      action: 'Approve the plan',
      instructions: 'Read its tasks. Skip, change or move those that you want otherwise, then approve it. Nothing is built before.',
    };
    return Promise.resolve([{ fact: 'human-action.asked', humanAction: approvalOf(asked) }]);
  },
};
