/**
 * Changes how the loop works when the process monitor reports RED; what it works on is up to course correction. It burns its
 * own tank and touches no cap, size, budget or gate (I6). After a change that brought no milestone, course correction comes
 * first, so the two never undo one another (docs/decisions/0019).
 */
import type { Ledger } from '../state/ledger.ts';
import { health } from '../core/monitor.ts';
import { strategyReviews, metricsTable, strategyTable } from '../render/process.ts';
import type { Fact } from '../work/facts.ts';
import { tank } from '../state/fuel.ts';
import type { Action } from './action.ts';
import { hasWay, isUnfinished, hasStale, wayHere } from './course-correct.ts';
import { unreportedFacts, runSession } from './session-action.ts';

export const strategy: Action = {
  id: 'strategy',
  asksModel: true,
  afterQualifying: true,
  due(state) {
    if (!isUnfinished(state) || !isReviewDue(state.ledger) || hasStale(state)) return [];
    const { level, triggers } = health(state);
    // When nothing is left to do, another way of doing it does not help.
    if (level !== 'RED' || !hasWay(state)) return [];
    return [{ target: '', burns: [tank('strategy')], why: triggers.map(({ why }) => why).join('; ') }];
  },
  async run(_target, context) {
    const { state, open } = context;
    const values = {
      ...wayHere(context),
      figures: metricsTable(state),
      strategy: strategyTable(state),
      before: strategyReviews(state.ledger.strategies),
    };
    const end = await runSession(context, { prompt: 'strategy', values });
    return unreportedFacts(end, (rationale): Fact[] => [{ fact: 'strategy.kept', pattern: open.decision.why, rationale }]);
  },
};

/** Since the strategy was last reviewed there was a milestone, or the course was corrected. */
function isReviewDue({ strategies, lastMilestone, corrections }: Ledger): boolean {
  const last = strategies.at(-1)?.decisions;
  return last === undefined || lastMilestone > last || (corrections.at(-1)?.decisions ?? 0) > last;
}
