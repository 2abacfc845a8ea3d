/**
 * Reviews tasks that were added after the plan, before they are built: duplicates in other words, contradictions, scope drift.
 * Guardrails judge each task alone; this row judges the new ones beside the plan, each once.
 */
import { renderPlan } from '../render/plan-text.ts';
import type { Fact } from '../work/facts.ts';
import { unreviewed } from '../work/task.ts';
import { tank } from '../state/fuel.ts';
import type { Action } from './action.ts';
import { unreportedFacts, runSession } from './session-action.ts';

/** Added tasks that are worth a review; after a course correction any number is. */
const worthReview = 3;

export const planHealth: Action = {
  id: 'plan-health',
  asksModel: true,
  afterQualifying: true,
  due(state) {
    const fresh = unreviewed(state.work.tasks, state.ledger.reviewed);
    if (fresh.length < worthReview && !fresh.some((t) => t.source === 'course_correction')) return [];
    return [{ target: '', burns: [tank('review')], why: `added after the plan: ${fresh.map((t) => t.id).join(', ')}` }];
  },
  async run(_target, context) {
    const { state } = context;
    const fresh = (): string[] => unreviewed(state.work.tasks, state.ledger.reviewed).map((t) => t.id);
    const tasks = fresh();
    const values = () => ({ fresh: fresh().join(', '), plan: renderPlan(state) });
    const end = await runSession(context, { prompt: 'plan-health', values });
    return unreportedFacts(end, (why): Fact[] => [{ fact: 'plan.reviewed', tasks, why }]);
  },
};
