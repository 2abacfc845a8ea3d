/** What a prompt about one check says of it: the script, the evidence and the history of what was tried (I9). */
import type { Context } from '../context.ts';
import { renderHistory } from '../render/history.ts';
import type { Check } from '../work/check.ts';

export async function checkValues({ state, ports }: Context, check: Check): Promise<Record<string, string>> {
  const last = state.ledger.runs[check.lineage]?.findLast((r) => r.where !== 'revert' && r.code !== null);
  return {
    check: `${check.id}: ${check.title} (proves ${check.prd.join(', ')})`,
    script: await ports.payloads.get(check.script),
    evidence: last ? `${last.summary}\n\n${last.excerpt}` : 'No run was recorded.',
    history: renderHistory(state, check),
  };
}
