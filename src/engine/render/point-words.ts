/** Points of Vision and PRD in words: for later agents, and for the report. */
import { oneLine } from '../ground/text.ts';
import { descopesOf, pointPlace, settledPoints, type SettledPoint } from '../judge/open-points.ts';
import type { State } from '../state/state.ts';
import type { Point } from '../work/document-review.ts';
import { followsWords, recommendedFor } from '../work/recommended.ts';
import { outdated } from '../work/revision.ts';

/** What every later agent is told, beside the documents; empty where nothing had to be settled. */
export function settledText(state: State): string {
  const { documentReviews, revisions } = state.ledger;
  const killed = documentReviews.slice(outdated(revisions).reviews).at(-1)?.killCriteria ?? [];
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
  const whose = point.weight === 'HARD' ? 'only you can decide it' : 'unless you say otherwise, Loop takes what is recommended';
  return [`${point.id} (${whose}), ${pointPlace(point)}: ${oneLine(point.wrong)}`, ...proposed, ...options].join('\n');
}

/** The wording that was proposed says more than the option that it was recommended with, and makes what was wrong needless. */
function settledLine({ point, taken, byPerson }: SettledPoint): string {
  const ids = descopesOf(point, taken);
  const descoped = ids.length === 0 ? '' : `. Descoped: ${ids.join(', ')}`;
  const isAsProposed = point.proposed !== '' && ids.length === 0 && taken === recommendedFor(point);
  const [why, wording] = isAsProposed ? ['', `. It now reads: ${oneLine(point.proposed)}`] : [` ${oneLine(point.wrong)}`, descoped];
  const answer = wording === '' ? oneLine(taken) : oneLine(taken).replace(/\.$/, '');
  return `- ${point.id}, ${pointPlace(point)}:${why} ${byPerson ? 'The person decided' : 'Assumed'}: ${answer}${wording}`;
}
