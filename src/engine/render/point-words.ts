/** Points of Vision and PRD in words: for later agents, and for the report. */
import { oneLine } from '../ground/text.ts';
import { descopesOf, settledPoints, type SettledPoint } from '../judge/open-points.ts';
import type { State } from '../state/state.ts';
import type { Point } from '../work/document-review.ts';
import { followsWords } from '../work/recommended.ts';

/** What every later agent is told, beside the documents; empty where nothing had to be settled. */
export function settledText(state: State): string {
  const killed = state.ledger.documentReviews.at(-1)?.killCriteria ?? [];
  const lines = [...settledPoints(state).map(settledLine), ...killed.map((one) => `- Kill criterion of the Vision: ${oneLine(one)}`)];
  return lines.join('\n');
}

/** For the report. */
export function assumptionLines(state: State): string[] {
  return settledPoints(state).map(settledLine);
}

/** A point with its ways out, for the person. */
export function pointWords(point: Point): string {
  const options = point.options.map((option, index) => {
    const recommended = index === point.recommended ? ' (recommended)' : '';
    return `   ${index + 1}. ${oneLine(option.answer)}${recommended}: ${oneLine(followsWords(option))}`;
  });
  const proposed = point.proposed === '' ? [] : [`   Proposed: ${oneLine(point.proposed)}`];
  return [`${point.id}, ${placeWords(point)}: ${oneLine(point.wrong)}`, ...proposed, ...options].join('\n');
}

function settledLine({ point, taken, byPerson }: SettledPoint): string {
  const ids = descopesOf(point, taken);
  const descoped = ids.length === 0 ? '' : `. Descoped: ${ids.join(', ')}`;
  return `- ${point.id}, ${placeWords(point)}: ${oneLine(point.wrong)} ${byPerson ? 'The person decided' : 'Assumed'}: ${oneLine(taken)}${descoped}`;
}

/** `PRD.md, requirement 2.1, "in euros"`. */
function placeWords({ document, requirement, quote }: Point): string {
  return [document, ...(requirement === '' ? [] : [`requirement ${requirement}`]), ...(quote === '' ? [] : [`"${oneLine(quote)}"`])].join(
    ', ',
  );
}
