/** What a prompt shows of one verification: the script, the evidence and the history of what was tried (I9). */
import type { Context } from '../../context.ts';
import { triedSoFar } from '../../render/history.ts';
import { renderCases } from '../../diagnose/cases.ts';
import { lastRunOf } from '../../judge/status.ts';
import { requirementsOf, type Run, type Verification } from '../../work/verification.ts';

export async function verificationValues({ state, ports }: Context, verification: Verification): Promise<Record<string, string>> {
  const last = lastRunOf(state, verification);
  return {
    verification: nameOf(verification),
    script: await ports.payloads.get(verification.script),
    evidence: last ? evidenceOf(last) : 'No run was recorded.',
    history: triedSoFar(state, verification),
  };
}

const casesInPrompt = 10;

/** What a run showed: summary, its seed, failed cases, excerpt. A line of the summary that the excerpt holds stands once. */
export function evidenceOf({ summary, seed, cases, excerpt }: Run): string {
  const own = summary.split('\n').filter((line) => !excerpt.includes(line));
  return [own.join('\n'), seed === undefined ? '' : `It ran with SEED=${seed}.`, cases ? renderCases(cases, casesInPrompt) : '', excerpt]
    .filter(Boolean)
    .join('\n\n');
}

export function nameOf(verification: Verification): string {
  const prd = requirementsOf(verification);
  return `${verification.id}: ${verification.title}${prd.length > 0 ? ` (proves ${prd.join(', ')})` : ''}`;
}
