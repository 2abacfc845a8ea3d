/** VALUE_CHECKLIST.md: every requirement with what covers it, and the trend of assessments. A rendering (I1). */
import { pictureOf } from '../picture/picture.ts';
import type { StandingVerification } from '../picture/verifications.ts';
import type { State } from '../state/state.ts';
import { descopedLines } from './descoped-words.ts';
import { standingWords } from './standing.ts';
import { strengthWords } from './trust-words.ts';
import { trend } from './trend.ts';

/** @param words what is said of a verification's strength. */
export function renderChecklist(state: State, words = strengthWords): string {
  const lines = pictureOf(state).requirements.map(({ requirement: { id, title }, verifications, verifiedBy }) => {
    const about = verifications.length > 0 ? verifications.map((one) => `  - ${describe(one, words)}`) : ['  - nothing verifies it yet'];
    return [`- [${verifiedBy ? 'x' : ' '}] **${id}** ${title}`, ...about].join('\n');
  });
  const assessed = state.ledger.assessments.vrcs.length > 0 ? `\n## Assessments\n\n${trend(state)}\n` : '';
  return `# Value checklist\n\n${tick}\n\n${[...lines, ...descopedLines(state)].join('\n')}\n${assessed}`;
}

const tick =
  'A tick means that one of its verifications is green and trusted now. What that proves is told in the delivery report, which is written when the sprint ends.';

/** `cli/total: passed, trusted: attempt 1 …`. */
function describe(one: StandingVerification, words: typeof strengthWords): string {
  const { verification, waits, trust, strength } = one;
  const head = `${verification.id}: ${standingWords(one)}`;
  if (verification.kind === 'criterion') return `${head}, judged by the evaluator`;
  return waits === ''
    ? `${head}, ${trust.trusted ? 'trusted' : 'not trusted'}: ${trust.why}${strength ? `; ${words(strength)}` : ''}`
    : `${head}, ${waits}`;
}
