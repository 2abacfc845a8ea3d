/** Vision Reality Check on schedule: how much of the promised value is there (spec/1 §10). It creates no work. */
import { coverage } from '../ending.ts';
import type { Context } from '../context.ts';
import { renderChecklist } from '../render/checklist.ts';
import type { State } from '../state.ts';
import type { Vrc } from '../work/assessment.ts';
import type { Fact } from '../work/facts.ts';
import { isOpen } from '../work/task.ts';
import type { Action } from './action.ts';
import { isQualified } from './gate-row.ts';
import { factsOf, runSession } from './session-action.ts';

export const vrcAction: Action = {
  id: 'vrc',
  asksModel: true,
  due(state) {
    const { work, ledger, config } = state;
    const last = ledger.assessments.vrcs.at(-1)?.code ?? 0;
    const isDue = isQualified(state) && work.tree.code - last >= config.vrcInterval && Object.values(work.tasks).some(isOpen);
    return isDue
      ? [{ target: 'full', burns: ['vrc'], why: `${work.tree.code - last} changes were settled since the last assessment` }]
      : [];
  },
  run: (target, context) => assess(context, target),
};

/** Also the second part of the final row, with target `vrc`. */
export async function assess(context: Context, target: string): Promise<Fact[]> {
  const { state } = context;
  const values = { checklist: renderChecklist(state), scope: target === 'vrc' ? 'the final tree' : 'the work so far' };
  const end = await runSession(context, { prompt: 'vrc', values, target });
  return factsOf(end, (why) => [{ fact: 'vrc.reported', vrc: fallback(state, target, why) }]);
}

/** The engine's own figures, marked: they prove nothing. */
function fallback(state: State, target: string, summary: string): Vrc {
  const all = coverage(state);
  const verified = all.filter(({ by }) => by).length;
  return {
    code: state.work.tree.code,
    scope: target === 'vrc' ? 'final' : 'full',
    fallback: true,
    valueScore: all.length === 0 ? 0 : verified / all.length,
    verified,
    total: all.length,
    blocked: 0,
    gaps: [],
    recommendation: 'CONTINUE',
    summary,
  };
}
