/** What becomes of points of Vision and PRD when the person changes the documents: only what is about changed words is judged anew. */
import type { Point } from '../work/document-review.ts';
import { servedAfter, type Reopened, type Revision } from '../work/revision.ts';

type Moved = Pick<Reopened, 'reworded' | 'removed' | 'renumbered'>;

/** It is about a requirement that asks for something else now, or has a way out that takes such a one out of the sprint. */
export function isAboutChanged({ requirement, options }: Point, { reworded, removed }: Moved): boolean {
  return [requirement, ...options.flatMap(({ descopes = [] }) => descopes)].some((id) => reworded.includes(id) || removed.includes(id));
}

/** The same point, by the numbers that requirements have now. */
export function renumberedPoint(point: Point, { renumbered }: Moved): Point {
  const { requirement, options } = point;
  return {
    ...point,
    requirement: renumbered[requirement] ?? requirement,
    options: options.map((option) =>
      option.descopes ? { ...option, descopes: servedAfter(option.descopes, { removed: [], renumbered }) } : option,
    ),
  };
}

interface PointNow {
  point: Point;
  isOutdated: boolean;
}

/** @param review the place of its review among all, from 0. */
export function pointNow(point: Point, review: number, revisions: readonly Revision[]): PointNow {
  const later = revisions.flatMap(({ taken }) => (taken && taken.judged.reviews > review ? taken : []));
  return later.reduce<PointNow>(
    (now, taken) => ({ point: renumberedPoint(now.point, taken), isOutdated: now.isOutdated || isAboutChanged(now.point, taken) }),
    { point, isOutdated: false },
  );
}
