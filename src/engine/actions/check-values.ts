/** What a prompt about one check says of it: the script, the evidence and the history of what was tried (I9). */
import type { Context } from '../context.ts';
import { renderHistory } from '../render/history.ts';
import { lastRunOf } from '../verify/status.ts';
import type { Check } from '../work/check.ts';

export async function checkValues({ state, ports }: Context, check: Check): Promise<Record<string, string>> {
  const last = lastRunOf(state, check);
  return {
    check: nameOf(check),
    script: await ports.payloads.get(check.script),
    evidence: last ? `${last.summary}\n\n${last.excerpt}` : 'No run was recorded.',
    history: renderHistory(state, check),
  };
}

export function nameOf({ id, title, prd }: Check): string {
  return `${id}: ${title}${prd.length > 0 ? ` (proves ${prd.join(', ')})` : ''}`;
}
