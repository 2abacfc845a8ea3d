/** Where the pointer goes: an element's middle, a point counted from an element's corner, or one of the window. */
import * as z from 'zod';
import { BrowserProblem, type Connection } from './connection.ts';
import { findTarget, type Target } from './outline.ts';

export interface Point {
  x: number;
  y: number;
}

/** As it was named. */
export interface Spot {
  label: string;
  /** None: `at` is counted from the corner of the window. */
  target?: Target;
  /** None: the middle of the target. */
  at?: Point;
}

export const spotWords = 'an element (its middle), X,Y in the window, as on a screenshot, or element @ X,Y from its upper left corner';

export function spotOf(targets: readonly Target[], wanted: string): Spot | { refused: string } {
  const element = findTarget(targets, wanted);
  if (!('refused' in element)) return { label: element.label, target: element };
  const [, of, x, y] = /^(?:(.*\S)\s+@\s+)?(\d{1,4}(?:\.\d+)?),\s*(\d{1,4}(?:\.\d+)?)$/.exec(wanted.trim()) ?? [];
  if (x === undefined) return /(^|@)[-\d\s.,]+$/.test(wanted) ? { refused: `${element.refused} A point is ${spotWords}.` } : element;
  const at = { x: Number(x), y: Number(y) };
  if (of === undefined) return { label: `The point ${x},${y}`, at };
  const target = findTarget(targets, of);
  return 'refused' in target ? target : { label: `${target.label} @ ${x},${y}`, target, at };
}

const objects = z.object({ object: z.object({ objectId: z.string() }) });
const quadsOf = z.object({ quads: z.array(z.array(z.number()).length(8)) });

/** Points of the window, which is scrolled to where they are. All of them are in it at once, since a pointer goes from one to the next. */
export async function pointsOf(connection: Connection, spots: readonly Spot[], size: Size): Promise<Point[] | { refused: string }> {
  for (const { label, target } of spots) if (target) await named(label, toMiddle(connection, target));
  const points = await inWindow(connection, spots, size);
  if (!('refused' in points) || spots.length === 1) return points;
  // What lies far from each other may fit where it is at the edges.
  for (const { label, target } of spots) if (target) await named(label, toEdge(connection, target));
  return inWindow(connection, spots, size);
}

async function inWindow(connection: Connection, spots: readonly Spot[], size: Size): Promise<Point[] | { refused: string }> {
  const points: Point[] = [];
  for (const spot of spots) {
    const point = await pointOf(connection, spot, size);
    if (!point) return { refused: `${spot.label} is not visible.` };
    if (isOutside(point, size)) return { refused: `${spot.label} lies outside of the window of ${size.width} by ${size.height} pixels.` };
    points.push(point);
  }
  return points;
}

interface Size {
  width: number;
  height: number;
}

async function pointOf(connection: Connection, { label, target, at }: Spot, size: Size): Promise<Point | undefined> {
  if (!target) return at;
  const got = await named(label, connection.send('DOM.getContentQuads', { backendNodeId: target.node }));
  const box = boxOf(quadsOf.parse(got).quads[0]);
  if (!box) return undefined;
  if (at) return { x: box.x + at.x, y: box.y + at.y };
  return { x: middle(box.x, box.width, size.width), y: middle(box.y, box.height, size.height) };
}

/** Of what is larger than the window, the middle of what the window shows of it. */
function middle(from: number, length: number, window: number): number {
  const [whole, start, end] = [from + length / 2, Math.max(from, 0), Math.min(from + length, window)];
  return start < end && (whole < 0 || whole >= window) ? (start + end) / 2 : whole;
}

async function toMiddle(connection: Connection, { node }: Target): Promise<void> {
  await connection.send('DOM.scrollIntoViewIfNeeded', { backendNodeId: node });
}

async function toEdge(connection: Connection, { node }: Target): Promise<void> {
  const { object } = objects.parse(await connection.send('DOM.resolveNode', { backendNodeId: node }));
  await connection.send('Runtime.callFunctionOn', { objectId: object.objectId, functionDeclaration: scrollToEdge });
}

/** Runs in the page. */
const scrollToEdge = `function () {
  (this instanceof Element ? this : this.parentElement)?.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
}`;

/** What goes wrong there is told with the words for it. */
export async function named<T>(label: string, doing: Promise<T>): Promise<T> {
  try {
    return await doing;
  } catch (error) {
    if (error instanceof BrowserProblem) throw new BrowserProblem(`${label} cannot be pointed at: ${error.message}`);
    throw error;
  }
}

function boxOf(quad: readonly number[] | undefined): (Point & Size) | undefined {
  if (!quad) return undefined;
  const [xs, ys] = [quad.filter((_, i) => i % 2 === 0), quad.filter((_, i) => i % 2 === 1)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  const [width, height] = [Math.max(...xs) - x, Math.max(...ys) - y];
  return width < 1 || height < 1 ? undefined : { x, y, width, height };
}

function isOutside({ x, y }: Point, { width, height }: Size): boolean {
  return x < 0 || y < 0 || x >= width || y >= height;
}
