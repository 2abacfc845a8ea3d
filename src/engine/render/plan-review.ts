/** What reviews of the plan found, for the next review and for the report. */
import { counted, oneLine } from '../ground/text.ts';
import { latestRound } from '../judge/closer-looks.ts';
import { left, tank } from '../state/fuel.ts';
import type { State } from '../state/state.ts';
import type { PlanFinding } from '../work/plan-review.ts';

/** For the next review: what the last one found. */
export function renderFindings({ ledger }: State): string {
  const round = latestRound(ledger.planReviews);
  if (round.length === 0) return 'Nobody has reviewed it yet: look at all of it.';
  const rounds = left(ledger, tank('lenses')) > 0 ? '' : ' This is the last review: what is still wrong goes on as a known weakness.';
  return `The last review found this. Look only whether it is gone, and whether the changes brought something new.${rounds}\n\n${findingLines({ ledger }).join('\n')}`;
}

/** What the last round of looks at the plan found, a line each. */
export function findingLines({ ledger }: Pick<State, 'ledger'>): string[] {
  const findings = latestRound(ledger.planReviews).flatMap((one) => one.findings);
  return findings.map((one) => `- ${findingWords(one)} ${one.mended ? 'It was changed.' : 'Nothing was changed.'}`);
}

/** What is known to be wrong with the plan that was built; nothing for a sprint that began before plans were reviewed. */
export function planWeaknesses({ work, ledger }: State): string[] {
  if (!work.gates.includes('plan') || (ledger.sizes.lenses ?? 0) === 0) return [];
  const round = latestRound(ledger.planReviews);
  if (round.length === 0) return ['Nobody reviewed the plan.'];
  return round
    .flatMap(({ findings }) => findings)
    .map(
      (one) => `The plan: ${findingWords(one)} ${one.mended ? 'It was changed, and nobody looked again.' : `Not mended: ${one.change}`}`,
    );
}

/** How the plan was reviewed, in a line for the report; none where nobody did. */
export function planReviewLines({ ledger }: State): string[] {
  const reviews = ledger.planReviews;
  const [last] = reviews.slice(-1);
  if (!last) return [];
  const found = reviews.flatMap(({ findings }) => findings);
  const mended = found.filter((one) => one.mended).length;
  const by = reviews.every(({ own }) => own) ? ' by who made it' : '';
  const what = found.length === 0 ? 'no fault found' : `${counted(found.length, 'fault')} found, ${mended} mended`;
  return [
    `- The plan, before it was built: ${counted(reviews.length, 'review')}${by}, ${what}; it promised ${last.value.toFixed(2)} of the value.`,
  ];
}

/** `CLARITY of T2: two builders would build two things.` */
function findingWords({ lens, task, wrong }: PlanFinding): string {
  return `${lens.toUpperCase()} of ${task}: ${oneLine(wrong).replace(/\.$/, '')}.`;
}
