/** What is open in Vision and PRD, and what holds where it was settled. */
import { oneLine } from '../ground/text.ts';
import type { State } from '../state/state.ts';
import { isUnresolved, type Choice } from '../work/human-action.ts';
import type { DocumentReview, Point } from '../work/document-review.ts';
import type { FactOf } from '../work/facts.ts';
import { recommendedFor } from '../work/recommended.ts';
import { outdated } from '../work/revision.ts';
import { isLookingCloser, latestRound } from './closer-looks.ts';
import { pointNow } from './points-after.ts';
import { left, tank } from '../state/fuel.ts';

/** A point of the documents, and what holds for it from now on. */
export interface SettledPoint {
  readonly point: Point;
  readonly taken: string;
  /** They chose it; else Loop took what was recommended. */
  readonly byPerson: boolean;
}

/** What Loop assumed about words that the person changed since holds no more; what they decided does. */
export function settledPoints(state: State): SettledPoint[] {
  const choices = choicesOf(state);
  const isOpen = ({ id, weight }: Point): boolean => {
    const last = choices.findLast(({ points }) => points.some((one) => one.id === id));
    if (!last && weight === 'HARD' && isLookingCloser(state)) return true;
    return last !== undefined && (isUnresolved(last) || (last.status === 'not-needed' && weight === 'HARD'));
  };
  const chosen: Record<string, string> = Object.assign({}, ...choices.map((one) => one.chosen));
  const { documentReviews, revisions } = state.ledger;
  return documentReviews
    .flatMap(({ points }, review) => points.map((point) => pointNow(point, review, revisions)))
    .filter(({ point, isOutdated }) => !isOpen(point) && (chosen[point.id] !== undefined || !isOutdated))
    .map(({ point }) => ({ point, taken: chosen[point.id] ?? recommendedFor(point), byPerson: chosen[point.id] !== undefined }));
}

/** Points with wording for words of the documents as they are judged now, except those that the person answered otherwise. */
export function openProposals(state: State): Point[] {
  const { documentReviews, revisions } = state.ledger;
  const chosen: Record<string, string> = Object.assign({}, ...choicesOf(state).map((one) => one.chosen));
  return allPoints(documentReviews.slice(outdated(revisions).reviews)).filter((point) => {
    const recommended = recommendedFor(point);
    if (point.quote === '' || point.proposed === '' || descopesOf(point, recommended).length > 0) return false;
    return (chosen[point.id] ?? recommended) === recommended;
  });
}

/** Ids of the requirements that an answer to a point takes out of the sprint; none for words of the person's own. */
export function descopesOf({ options }: Point, taken: string): readonly string[] {
  return options.find(({ answer }) => answer === taken)?.descopes ?? [];
}

/** What the person's answer takes out of the sprint. @param chosen answers by the point's id; the others they leave to Loop. */
export function descopedBy({ points }: Choice, chosen: Readonly<Record<string, string>>): FactOf<'requirement.descoped'>[] {
  const facts = points.flatMap((point) => {
    const { [point.id]: answer } = chosen;
    const why = { why: point.wrong, chosen: answer !== undefined };
    return descopesOf(point, answer ?? recommendedFor(point)).map((id) => ({ fact: 'requirement.descoped' as const, id, ...why }));
  });
  return facts.filter(({ id }, index) => facts.findIndex((one) => one.id === id) === index);
}

/** Points of the last review that the person answered in words of their own, which nobody has judged. */
export function answeredInWords(state: State): Point[] {
  const last = allPoints(latestRound(state.ledger.documentReviews));
  return settledPoints(state)
    .filter(
      ({ point: { id, options }, taken, byPerson }) =>
        byPerson && last.some((one) => one.id === id) && !options.some((o) => o.answer === taken),
    )
    .map(({ point }) => point);
}

/** Whether the person was asked about the documents and has not answered yet. */
export function isAsking(state: State): boolean {
  return choicesOf(state).some(isUnresolved);
}

/**
 * What the person is asked at once: the HARD points. Questions of discovery come with them, and are no reason to ask by
 * themselves.
 */
export function askedPoints(points: readonly Point[]): Point[] {
  return points.some(({ weight }) => weight === 'HARD')
    ? points.filter(({ weight, kind }) => weight === 'HARD' || kind === 'question')
    : [];
}

/** What the person is still to be asked: HARD points that stand, and questions that came with the last of them. */
export function unaskedPoints(state: State): Point[] {
  const { documentReviews, revisions } = state.ledger;
  const known = new Set(choicesOf(state).flatMap(({ points }) => points.map(({ id }) => id)));
  const last = documentReviews.length - latestRound(documentReviews).length;
  const open = documentReviews.flatMap(({ points }, review) =>
    points
      .map((one) => pointNow(one, review, revisions))
      .filter(({ point, isOutdated }) => !isOutdated && !known.has(point.id) && (point.weight === 'HARD' || review >= last))
      .map(({ point }) => point),
  );
  return askedPoints(open);
}

/** `PRD.md, requirement 2.1, "in euros"`. */
export function pointPlace({ document, requirement, quote }: Point): string {
  return [document, ...(requirement === '' ? [] : [`requirement ${requirement}`]), ...(quote === '' ? [] : [`"${oneLine(quote)}"`])].join(
    ', ',
  );
}

function choicesOf({ ledger }: State): Choice[] {
  return Object.values(ledger.humanActions).filter((one) => one.kind === 'choice');
}

/** Questions of discovery that no review of the documents took up. */
export function openQuestions({ work, ledger }: State): readonly string[] {
  return ledger.documentReviews.length > 0 ? [] : (work.context?.unresolvedQuestions ?? []);
}

/** Whether Vision and PRD are judged as they are, or nothing is left for that, or this sprint opened without a tank for it. */
export function isJudged({ ledger }: State): boolean {
  const before = outdated(ledger.revisions).reviews;
  if (before > 0 && left(ledger, tank('documents')) <= 0) return true;
  return ledger.documentReviews.length > before || (ledger.sizes.documents ?? 0) === 0;
}

/** The review that ends the sprint before anything is planned. */
export function rejected({ ledger }: State): DocumentReview | undefined {
  const last = ledger.documentReviews.at(-1);
  return last?.verdict === 'REJECT' ? last : undefined;
}

function allPoints(reviews: readonly DocumentReview[]): Point[] {
  return reviews.flatMap(({ points }) => points);
}
