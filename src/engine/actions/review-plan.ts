/**
 * Looks at the whole plan once before anything is verified or built, while a change costs nothing but words. The session mends
 * what it finds, and a later round looks whether it is mended; a round without a finding is the last one. Its prompt names the
 * same tools as the planner's, so that the provider has tools and system prompt in its cache.
 */
import { counted } from '../ground/text.ts';
import { renderFindings } from '../render/plan-review.ts';
import { renderPlan } from '../render/plan-text.ts';
import { plannedSizes, tank } from '../state/fuel.ts';
import type { Action } from './action.ts';
import { unreportedFacts, runSession } from './session-action.ts';

export const reviewPlan: Action = {
  id: 'review-plan',
  asksModel: true,
  afterQualifying: false,
  due({ work, ledger }) {
    if (!work.gates.includes('plan') || work.tree.change) return [];
    const found = ledger.planReviews.at(-1)?.findings.length;
    if (found === 0) return [];
    const why = found === undefined ? 'nobody has looked at the plan yet' : `the last look found ${counted(found, 'fault')}`;
    return [{ target: '', burns: [tank('lenses')], why }];
  },
  async run(_target, context) {
    const { state } = context;
    const values = { found: renderFindings(state), plan: renderPlan(state, true) };
    const end = await runSession(context, { prompt: 'review-plan', values });
    // A session may have changed the plan without reporting.
    const sizes = plannedSizes(Object.keys(state.work.tasks).length, state.config);
    return [...unreportedFacts(end, () => []), { fact: 'fuel.sized', ...sizes }];
  },
};
