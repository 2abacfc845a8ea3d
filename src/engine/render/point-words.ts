/** Points of Vision and PRD in words: for later agents, and for the report. */
import { oneLine } from '../ground/text.ts';
import { latestRound } from '../judge/closer-looks.ts';
import { descopesOf, pointPlace, settledPoints, type SettledPoint } from '../judge/open-points.ts';
import type { State } from '../state/state.ts';
import type { Point } from '../work/document-review.ts';
import { isAgents } from '../work/human-action.ts';
import { followsWords, recommendedFor } from '../work/recommended.ts';
import { outdated } from '../work/revision.ts';

/** What every later agent is told, beside the documents; empty where nothing had to be settled and nothing was asked. */
export function settledText(state: State): string {
  const { documentReviews, revisions } = state.ledger;
  const judged = latestRound(documentReviews.slice(outdated(revisions).reviews));
  const killed = [...new Set(judged.flatMap(({ killCriteria }) => killCriteria))];
  const lines = [...settledPoints(state).map(settledLine), ...killed.map((one) => `- Kill criterion of the Vision: ${oneLine(one)}`)];
  return [...lines, ...planLines(state), ...askedLines(state, 'The person')].join('\n');
}

/** What the documents leave open, as the planner settled it: who verifies and who builds must not each guess it anew. */
export function planLines({ ledger }: State): string[] {
  return ledger.planDecisions.map((words) => `- By the plan: ${oneLine(words)}`);
}

/** What agents asked on the way, and what became of it. @param person who answers, for who reads it. */
export function askedLines({ ledger }: State, person: 'The person' | 'You'): string[] {
  return Object.values(ledger.humanActions)
    .filter(isAgents)
    .flatMap(({ kind, action, status, said, otherwise }) => {
      if (status === 'skipped') return [`- ${oneLine(action)} ${person} did not say; assumed: ${oneLine(otherwise)}`];
      // What they said about failures is a brief.
      return said === undefined || kind === 'hint' ? [] : [`- ${oneLine(action)} ${person} said: ${oneLine(said)}`];
    });
}

/** What the last round of looks at the documents raised, for the next look: a line each. */
export function raisedLines({ ledger }: State): string[] {
  const points = latestRound(ledger.documentReviews).flatMap((one) => one.points);
  return points.map((one) => `- ${one.id} (${one.kind}), ${pointPlace(one)}: ${oneLine(one.wrong)}`);
}

/** For the report: what the document now says comes first, since it can be read alone, then what it is about, and below it the answer. */
export function assumptionLines(state: State): string[] {
  return settledPoints(state).map((settled) => {
    const { point, taken } = settled;
    const about = `${point.id}, ${pointPlace(point)}`;
    if (!isAsProposed(settled)) return `- ${whoDecided(settled)}: ${answerWords(settled)} (${about}: ${oneLine(point.wrong)})`;
    const proposed = oneLine(point.proposed);
    // An answer such as "As proposed" says nothing without what was.
    if (/^as proposed\b/i.test(taken)) return `- ${whoDecided(settled)}: ${proposed} (${about})`;
    return `- ${whoDecided(settled)}: ${proposed} (${about})\n  - The answer: ${oneLine(taken)}`;
  });
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

/** The wording that was proposed stands for what was wrong; the way out that it came with may say more. */
function settledLine(settled: SettledPoint): string {
  const { point, taken } = settled;
  const place = `- ${point.id}, ${pointPlace(point)}:`;
  if (isAsProposed(settled))
    return `${place} ${whoDecided(settled)}: ${oneLine(taken).replace(/\.$/, '')}. It now reads: ${oneLine(point.proposed)}`;
  return `${place} ${oneLine(point.wrong)} ${whoDecided(settled)}: ${answerWords(settled)}`;
}

/** What was taken, with what follows from it, and what it takes out of the sprint. */
function answerWords({ point, taken }: SettledPoint): string {
  const ids = descopesOf(point, taken);
  const descoped = ids.length === 0 ? '' : `. Descoped: ${ids.join(', ')}`;
  const option = point.options.find(({ answer }) => answer === taken);
  const follows = option === undefined ? '' : ` (${oneLine(option.follows).replace(/\.$/, '')})`;
  const answer = descoped + follows === '' ? oneLine(taken) : oneLine(taken).replace(/\.$/, '');
  return `${answer}${follows}${descoped}`;
}

function isAsProposed({ point, taken }: SettledPoint): boolean {
  const isOther = point.proposed !== '' && oneLine(point.proposed) !== oneLine(point.quote);
  return isOther && descopesOf(point, taken).length === 0 && taken === recommendedFor(point);
}

function whoDecided({ byPerson }: SettledPoint): string {
  return byPerson ? 'The person decided' : 'Assumed';
}
