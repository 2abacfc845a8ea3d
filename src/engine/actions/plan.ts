/** Makes the plan, task by task. Once the plan is settled, the tanks get their final size (I4). */
import { isAsking, isJudged, rejected } from '../judge/open-points.ts';
import { plannedSizes } from '../state/fuel.ts';
import { renderPlan } from '../render/plan-text.ts';
import type { Action } from './action.ts';
import { gateDue } from './gate-row.ts';
import { unreportedFacts, runSession } from './session-action.ts';

export const plan: Action = {
  id: 'plan',
  asksModel: true,
  afterQualifying: false,
  due: (state) => (isJudged(state) && !isAsking(state) && !rejected(state) ? gateDue(state, 'plan') : []),
  async run(_target, context) {
    const { state } = context;
    const end = await runSession(context, { prompt: 'plan', values: { plan: renderPlan(state) } });
    if (end.end !== 'reported') return unreportedFacts(end, () => []);
    const tasks = Object.keys(state.work.tasks).length;
    return [{ fact: 'fuel.sized', ...plannedSizes(tasks, state.config) }];
  },
};
