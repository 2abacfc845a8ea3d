/**
 * Asks a classifier which failures have one cause, where the engine itself finds nothing in common (I11). It asks only when
 * three or more would each be mended alone, so that an answer may save more sessions than it costs, and once for a code number.
 */
import type { Context } from '../context.ts';
import { excerpt } from '../ground/text.ts';
import { machineCauses } from '../diagnose/causes.ts';
import { lastRunOf } from '../judge/status.ts';
import type { Group } from '../diagnose/triage.ts';
import { strategyOf } from '../work/strategy.ts';
import { tank } from '../state/fuel.ts';
import type { Action } from './action.ts';
import { nameOf } from './told/verification-values.ts';
import { unreportedFacts, runSession } from './session-action.ts';

/** Failures that share nothing with any other; from this number on a question pays. */
const worthAsking = 3;
/** Characters of evidence that all groups share. */
const evidenceLimit = 40_000;

export const triage: Action = {
  id: 'triage',
  asksModel: true,
  afterQualifying: true,
  due(state) {
    const together = strategyOf(state.ledger).triage === 'by_cause';
    const alone = together ? machineCauses(state).filter((group) => group.verifications.length === 1).length : 0;
    if (alone < worthAsking) return [];
    const { code } = state.work.tree;
    return [
      {
        target: '',
        burns: [tank('triage', String(code))],
        why: `${alone} verifications fail in ways that share nothing a machine can see`,
      },
    ];
  },
  async run(_target, context) {
    const groups = machineCauses(context.state);
    const share = Math.floor(evidenceLimit / Math.max(groups.length, 1));
    const failures = groups.map((group) => groupText(context, group, share)).join('\n\n');
    return unreportedFacts(await runSession(context, { prompt: 'triage', values: { failures } }), () => []);
  },
};

function groupText({ state }: Context, { verifications, why }: Group, share: number): string {
  const [lead, ...others] = verifications;
  if (!lead) return '';
  const run = lastRunOf(state, lead);
  const also = others.length > 0 ? `\n\nWith the same cause (${why}): ${others.map(({ id }) => id).join(', ')}` : '';
  return `### ${nameOf(lead)}${also}\n\n\`\`\`\n${excerpt(`${run?.summary ?? ''}\n\n${run?.excerpt ?? ''}`, share)}\n\`\`\``;
}
