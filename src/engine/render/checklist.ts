/** VALUE_CHECKLIST.md: every requirement with what covers it, and the trend of assessments. A rendering (I1). */
import { isCounted } from '../judge/ending.ts';
import type { State } from '../state/state.ts';
import { downFor, waitWords } from '../services/services.ts';
import { trustOf } from '../judge/trust.ts';
import { liveChecks } from '../state/covers.ts';
import type { Check } from '../work/check.ts';
import { standing } from './standing.ts';
import { trend } from './trend.ts';

export function renderChecklist(state: State): string {
  const { requirements } = state.work;
  const lines = requirements.map(({ id, title }) => {
    const checks = liveChecks(state.work).filter((c) => c.prd.includes(id));
    const proven = checks.some((c) => isCounted(state, c));
    const about = checks.map((c) => `  - ${describe(state, c)}`);
    return [`- [${proven ? 'x' : ' '}] **${id}** ${title}`, ...(about.length > 0 ? about : ['  - nothing verifies it yet'])].join(
      '\n',
    );
  });
  const assessed = state.ledger.assessments.vrcs.length > 0 ? `\n## Assessments\n\n${trend(state)}\n` : '';
  return `# Value checklist\n\n${lines.join('\n')}\n${assessed}`;
}

/** `cli/total: passed, trusted (a red run …)`. */
function describe(state: State, check: Check): string {
  if (check.kind === 'criterion') return `${check.id}: ${standing(state, check)}, judged by the evaluator`;
  const dead = downFor(state, check);
  if (dead) return `${check.id}: ${standing(state, check)}, ${waitWords(dead)}`;
  const trust = trustOf(state, check);
  return `${check.id}: ${standing(state, check)}, ${trust.trusted ? 'trusted' : 'not trusted'}: ${trust.why}`;
}
