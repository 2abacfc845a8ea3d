/** What a prompt about one check says of it: the script, the evidence and the history of what was tried (I9). */
import type { Context } from '../context.ts';
import { renderHistory } from '../render/history.ts';
import { renderCases } from '../diagnose/cases.ts';
import { lastRunOf } from '../judge/status.ts';
import type { Check, CheckRun } from '../work/check.ts';

export async function checkValues({ state, ports }: Context, check: Check): Promise<Record<string, string>> {
  const last = lastRunOf(state, check);
  return {
    check: nameOf(check),
    script: await ports.payloads.get(check.script),
    evidence: last ? evidenceOf(last) : 'No run was recorded.',
    history: renderHistory(state, check),
  };
}

const casesInPrompt = 10;

/** What a run showed: summary, failed cases, excerpt. */
export function evidenceOf({ summary, cases, excerpt }: CheckRun): string {
  return [summary, cases ? renderCases(cases, casesInPrompt) : '', excerpt].filter(Boolean).join('\n\n');
}

export function nameOf({ id, title, prd }: Check): string {
  return `${id}: ${title}${prd.length > 0 ? ` (proves ${prd.join(', ')})` : ''}`;
}
