/** What a mouse and a finger do, as events of the browser itself: a page cannot tell them from a person's. */
import type { Connection } from './connection.ts';
import type { Point } from './spots.ts';

/** What a mouse does at one point. */
export type Gesture = 'click' | 'doubleclick' | 'rightclick' | 'hover';

const presses: Record<Gesture, { button: 'left' | 'right'; clicks: number[] }> = {
  click: { button: 'left', clicks: [1] },
  // A page that hears a double click hears the first one before.
  doubleclick: { button: 'left', clicks: [1, 2] },
  rightclick: { button: 'right', clicks: [1] },
  hover: { button: 'left', clicks: [] },
};

export async function point(connection: Connection, gesture: Gesture, at: Point): Promise<void> {
  const { button, clicks } = presses[gesture];
  await mouse(connection, 'mouseMoved', at);
  for (const clickCount of clicks) {
    await mouse(connection, 'mousePressed', at, { button, clickCount });
    await mouse(connection, 'mouseReleased', at, { button, clickCount });
  }
}

/** From the first point to the last with the left button held down. What the page lets be dragged and dropped is. */
export async function drag(connection: Connection, [first, ...others]: readonly Point[]): Promise<void> {
  if (!first) return;
  const held = { button: 'left', clickCount: 1 };
  await mouse(connection, 'mouseMoved', first);
  await mouse(connection, 'mousePressed', first, held);
  const way = stepsOf([first, ...others]);
  for (const at of way) await mouse(connection, 'mouseMoved', at, { button: 'left', buttons: 1 });
  await mouse(connection, 'mouseReleased', way.at(-1) ?? first, held);
}

/** With one finger: a tap where there is one point, and else from the first to the last. */
export async function touch(connection: Connection, [first, ...others]: readonly Point[]): Promise<void> {
  if (!first) return;
  const finger = (type: string, touchPoints: readonly Point[]): Promise<unknown> =>
    connection.send('Input.dispatchTouchEvent', { type, touchPoints });
  await finger('touchStart', [first]);
  for (const at of stepsOf([first, ...others])) await finger('touchMove', [at]);
  await finger('touchEnd', []);
}

function mouse(connection: Connection, type: string, at: Point, more: object = {}): Promise<unknown> {
  return connection.send('Input.dispatchMouseEvent', { type, ...at, ...more });
}

/** Pixels between two events, about as with a hand, and events from one point to the next at most. */
const stepLength = 8;
const mostSteps = 60;

function stepsOf(points: readonly Point[]): Point[] {
  return points.slice(1).flatMap((to, i) => {
    const from = points[i] ?? to;
    const count = Math.min(mostSteps, Math.max(1, Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / stepLength)));
    return Array.from({ length: count }, (_, step) => {
      const part = (step + 1) / count;
      return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
    });
  });
}
