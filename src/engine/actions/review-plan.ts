/**
 * Looks at the whole plan once before anything is verified or built, while a change costs nothing but words. The session mends what it
 * finds, and a later round looks whether it is mended; a round without a finding is the last one. Closer looks belong to the round before
 * them. Its prompt names the same tools as the planner's, so that the provider has tools and system prompt in its cache.
 */
import { promptText } from '../ground/prompts.ts';
import { counted } from '../ground/text.ts';
import { latestRound, looksAtPlan } from '../judge/closer-looks.ts';
import { findingLines, renderFindings } from '../render/plan-review.ts';
import { renderPlan } from '../render/plan-text.ts';
import { plannedSizes, tank } from '../state/fuel.ts';
import type { Action } from './action.ts';
import { closerWords } from './told/closer-look.ts';
import { unreportedFacts, runSession } from './session-action.ts';

export const reviewPlan: Action = {
  id: 'review-plan',
  asksModel: true,
  afterQualifying: false,
  due(state) {
    const { work, ledger } = state;
    if (!work.gates.includes('plan') || work.tree.change) return [];
    const closer = looksAtPlan(state).map((one) => ({ target: one.lenses, burns: [one.tank], why: `a closer look through ${one.lenses}` }));
    if (closer.length > 0) return closer;
    const round = latestRound(ledger.planReviews);
    const found = round.length === 0 ? undefined : round.flatMap(({ findings }) => findings).length;
    if (found === 0) return [];
    const why = found === undefined ? 'nobody has looked at the plan yet' : `the last look found ${counted(found, 'fault')}`;
    return [{ target: '', burns: [tank('lenses')], why }];
  },
  async run(target, context) {
    const { state } = context;
    const values = () => ({
      found: target === '' ? renderFindings(state) : '',
      plan: renderPlan(state, true),
      lenses: promptText('plan-lenses'),
    });
    const end = await runSession(context, { prompt: 'review-plan', values, ...closerWords(target, findingLines(state)) });
    // A session may have changed the plan without reporting.
    const sizes = plannedSizes(Object.keys(state.work.tasks).length, state.config);
    return [...unreportedFacts(end, () => []), { fact: 'fuel.sized', ...sizes }];
  },
};
