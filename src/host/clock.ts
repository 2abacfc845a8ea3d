/** The Clock port on Node (I12): a wait leaves neither timer nor listener behind, whichever way it ends. */
import { Interruption } from '../engine/ground/errors.ts';
import type { AbortSignal, Clock } from '../engine/ports.ts';

/** `setTimeout` fires at once for a longer delay (about 25 days). */
const longestTimer = 2 ** 31 - 1;

/** `sleep` throws Interruption `cancelled` once its signal aborts. */
export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    let left = ms;
    for (; left > longestTimer; left -= longestTimer) await humanAction(longestTimer, signal);
    await humanAction(left, signal);
  },
};

function humanAction(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(new Interruption('cancelled', 'The sprint was cancelled while it was waiting.'));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
