/** What is open in Vision and PRD, and what holds where it was settled. */
import type { State } from '../state/state.ts';
import { recommendedFor, type DocumentReview, type Point } from '../work/document-review.ts';

/** A point of the documents, and what holds for it from now on. */
export interface SettledPoint {
  readonly point: Point;
  readonly taken: string;
}

export function settledPoints({ ledger }: State): SettledPoint[] {
  return allPoints(ledger.documentReviews).map((point) => ({ point, taken: recommendedFor(point) }));
}

/** Questions of discovery that no review of the documents took up. */
export function openQuestions({ work, ledger }: State): readonly string[] {
  return ledger.documentReviews.length > 0 ? [] : (work.context?.unresolvedQuestions ?? []);
}

/** Whether Vision and PRD are judged, or this sprint opened without a tank for that. */
export function isJudged({ ledger }: State): boolean {
  return ledger.documentReviews.length > 0 || (ledger.sizes.documents ?? 0) === 0;
}

/** The review that ends the sprint before anything is planned. */
export function rejected({ ledger }: State): DocumentReview | undefined {
  const last = ledger.documentReviews.at(-1);
  return last?.verdict === 'REJECT' ? last : undefined;
}

function allPoints(reviews: readonly DocumentReview[]): Point[] {
  return reviews.flatMap(({ points }) => points);
}
