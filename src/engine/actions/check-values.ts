/** What a prompt about one check says of it: the script, the evidence and the history of what was tried (I9). */
import type { Context } from '../context.ts';
import { renderHistory } from '../render/history.ts';
import type { State } from '../state.ts';
import type { Check, CheckRun } from '../work/check.ts';

export async function checkValues({ state, ports }: Context, check: Check): Promise<Record<string, string>> {
  const last = lastRunOf(state, check);
  return {
    check: nameOf(check),
    script: await ports.payloads.get(check.script),
    evidence: last ? `${last.summary}\n\n${last.excerpt}` : 'No run was recorded.',
    history: renderHistory(state, check),
  };
}

/** The run that a check's result is from. */
export function lastRunOf({ ledger }: State, check: Check): CheckRun | undefined {
  return ledger.runs[check.lineage]?.findLast((r) => r.where !== 'revert' && r.code !== null);
}

export function nameOf({ id, title, prd }: Check): string {
  return `${id}: ${title} (proves ${prd.join(', ')})`;
}
