/**
 * Vision Reality Check (VRC) on schedule: how much of the promised value is there. It creates no work. Every other one is
 * quick: a small model reads only the engine's figures, and judges whether the sprint gets there.
 */
import type { Context } from '../context.ts';
import { promptText } from '../ground/prompts.ts';
import { countProven } from '../judge/last-look.ts';
import { renderChecklist } from '../render/checklist.ts';
import { notableText } from '../render/notable-words.ts';
import { renderPlan } from '../render/plan-text.ts';
import { strengthCount } from '../render/trust-words.ts';
import { tank } from '../state/fuel.ts';
import type { State } from '../state/state.ts';
import { vrcScope, type Vrc } from '../work/assessment.ts';
import type { Fact } from '../work/facts.ts';
import { isOpen } from '../work/task.ts';
import type { Action } from './action.ts';
import { leftOpen } from './told/left-open.ts';
import { unreportedFacts, runSession } from './session-action.ts';

export const vrcAction: Action = {
  id: 'vrc',
  asksModel: true,
  afterQualifying: true,
  due(state) {
    const { work, ledger, config } = state;
    const last = ledger.assessments.vrcs.at(-1);
    const settled = work.tree.code - (last?.code ?? 0);
    // After a correction the first settled change is assessed, to see whether the correction helped.
    const correction = ledger.corrections.at(-1);
    const corrected = correction?.vrcs === ledger.assessments.vrcs.length && correction.kind !== 'unreported';
    const interval = corrected ? 1 : config.vrcInterval;
    if (settled < interval || !Object.values(work.tasks).some(isOpen)) return [];
    const target = last?.scope === 'full' && !corrected ? 'quick' : 'full';
    return [{ target, burns: [tank('vrc')], why: `${settled} changes were settled since the last assessment` }];
  },
  run: (target, context) => assess(context, target),
};

/** Also the second part of the final row, with target `vrc`. */
export async function assess(context: Context, target: string): Promise<Fact[]> {
  const { state } = context;
  const checklist = renderChecklist(state, strengthCount);
  const scope = target === 'vrc' ? 'the final tree' : 'the work so far';
  const end = await runSession(
    context,
    vrcScope(target) === 'quick'
      ? { prompt: 'vrc-quick', values: { checklist, plan: renderPlan(state) } }
      : {
          prompt: 'vrc',
          values: { checklist, scope, notable: notableText(state), open: await leftOpen(context), recommend: promptText('recommend') },
        },
  );
  return unreportedFacts(end, (why) => [{ fact: 'vrc.reported', vrc: fallback(state, target, why) }]);
}

/** The engine's own figures, marked as a fallback because they prove nothing. */
function fallback(state: State, target: string, summary: string): Vrc {
  const { verified, total } = countProven(state);
  return {
    code: state.work.tree.code,
    scope: vrcScope(target),
    fallback: true,
    valueScore: total === 0 ? 0 : verified / total,
    verified,
    total,
    blocked: 0,
    gaps: [],
    recommendation: 'CONTINUE',
    summary,
  };
}
