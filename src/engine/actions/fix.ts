/**
 * Mends one broken check (spec/1 §7.3, spec/3). The fixer gets the script, the evidence and the history of what was tried;
 * attempts are counted by lineage and signature and never reset (I9).
 */
import type { Context } from '../context.ts';
import { renderHistory } from '../render/history.ts';
import { coveredTasks, isBroken, liveChecks } from '../verify/trust.ts';
import { fixTanks } from '../verify/status.ts';
import type { Check } from '../work/check.ts';
import type { Action } from './action.ts';
import { changeOf } from './change.ts';
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
    const end = await runSession(context, { prompt: 'fix', values: await valuesOf(context, check), target });
    const changed = await changeOf(context, { kind: 'fix', lineage: check.lineage, check: target });
    return [...changed, ...factsOf(end, () => [])];
  },
};

async function valuesOf({ state, ports }: Context, check: Check): Promise<Record<string, string>> {
  const last = state.ledger.runs[check.lineage]?.findLast((r) => r.where !== 'revert' && r.code !== null);
  const tasks = coveredTasks(state.work, check).map((t) => `- ${t.id}: ${t.description}`);
  return {
    check: `${check.id}: ${check.title} (proves ${check.prd.join(', ')})`,
    script: await ports.payloads.get(check.script),
    evidence: last ? `${last.summary}\n\n${last.excerpt}` : 'No run was recorded.',
    history: renderHistory(state, check),
    tasks: tasks.join('\n'),
  };
}
