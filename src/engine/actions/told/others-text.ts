/** What a prompt shows of verifications that a session is about besides the first one: script and evidence of each. */
import type { Context } from '../../context.ts';
import type { State } from '../../state/state.ts';
import { excerpt } from '../../ground/text.ts';
import { lastRunOf } from '../../judge/status.ts';
import { eachHelperOnce } from '../../parse/helper-text.ts';
import type { Verification } from '../../work/verification.ts';
import { evidenceOf, nameOf } from './verification-values.ts';

/** Verifications of a group that the prompt shows with script and evidence; it only lists the rest. */
const shownWhole = 20;
/** Characters that these share. */
const othersLimit = 40_000;

/** Empty where there are none. Helpers stand once, in the script of the lead where it has them. */
export async function othersText({ state, ports }: Context, lead: Verification, others: readonly Verification[]): Promise<string> {
  if (others.length === 0) return '';
  const share = Math.floor(othersLimit / Math.min(others.length, shownWhole) / 2);
  const shown = others.slice(0, shownWhole);
  const texts = await Promise.all([lead, ...shown].map(({ script }) => ports.payloads.get(script)));
  const [, ...scripts] = eachHelperOnce(texts);
  const whole = shown.map((verification, index) => otherText(state, verification, scripts[index] ?? '', share));
  const listed = others.slice(shownWhole).map((verification) => `- ${nameOf(verification)}`);
  return [...whole, listed.join('\n')].filter(Boolean).join('\n\n');
}

function otherText(state: State, verification: Verification, script: string, share: number): string {
  const last = lastRunOf(state, verification);
  const evidence = excerpt(last ? evidenceOf(last) : '', share);
  return `### ${nameOf(verification)}\n\n\`\`\`\n${excerpt(script, share)}\n\`\`\`\n\n\`\`\`\n${evidence}\n\`\`\``;
}
