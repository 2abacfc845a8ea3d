/**
 * Mends one broken check (spec/1 §7.3, spec/3). The fixer gets the script, the evidence and the history of what was tried;
 * attempts are counted by lineage and signature and never reset (I9).
 */
import { coveredTasks, isBroken, liveChecks } from '../verify/trust.ts';
import { fixTanks } from '../verify/status.ts';
import type { Action } from './action.ts';
import { changeOf } from './change.ts';
import { checkValues } from './check-values.ts';
import { isQualified } from './gate-row.ts';
import { factsOf, runSession } from './session-action.ts';

export const fix: Action = {
  id: 'fix',
  asksModel: true,
  due(state) {
    if (!isQualified(state)) return [];
    return liveChecks(state.work)
      .filter((c) => isBroken(state, c))
      .map((c) => ({ target: c.id, burns: fixTanks(state, c), why: `verification ${c.id} is broken` }));
  },
  async run(target, context) {
    const { state } = context;
    const check = state.work.checks[target];
    if (!check) return [];
    const tasks = coveredTasks(state.work, check).map((t) => `- ${t.id}: ${t.description}`);
    const values = { ...(await checkValues(context, check)), tasks: tasks.join('\n') };
    const end = await runSession(context, { prompt: 'fix', values, target });
    const changed = await changeOf(context, { kind: 'fix', lineage: check.lineage, check: target });
    return [...changed, ...factsOf(end, () => [])];
  },
};
