/**
 * Makes the plan, task by task, and judges a small one. Once the plan is settled, the tanks get their final size (I4).
 */
import { promptText } from '../ground/prompts.ts';
import { smallSprint } from '../judge/last-look.ts';
import { isAsking, isJudged, rejected } from '../judge/open-points.ts';
import { judgesOwnPlan, mayJudgeOwnPlan } from '../judge/own-plan.ts';
import { plannedSizes } from '../state/fuel.ts';
import { renderPlan } from '../render/plan-text.ts';
import type { Action } from './action.ts';
import { gateDue } from './gate-row.ts';
import { unreportedFacts, runSession } from './session-action.ts';
import { textsThere } from './told/shown-texts.ts';

export const plan: Action = {
  id: 'plan',
  asksModel: true,
  afterQualifying: false,
  due: (state) => (isJudged(state) && !isAsking(state) && !rejected(state) ? gateDue(state, 'plan') : []),
  async run(_target, context) {
    const { state } = context;
    const values = async () => ({
      plan: renderPlan(state),
      files: await textsThere(context),
      review: mayJudgeOwnPlan(state) ? lensesText() : '',
    });
    const goesOn = (): boolean => judgesOwnPlan(state) && state.ledger.planReviews.length === 0;
    const end = await runSession(context, { prompt: 'plan', values, goesOn });
    if (!state.work.gates.includes('plan')) return unreportedFacts(end, () => []);
    const tasks = Object.keys(state.work.tasks).length;
    return [...unreportedFacts(end, () => []), { fact: 'fuel.sized', ...plannedSizes(tasks, state.config) }];
  },
};

function lensesText(): string {
  return promptText('plan-judges', { lenses: promptText('plan-lenses'), most: String(smallSprint) });
}
