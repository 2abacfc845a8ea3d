/** The Clock port on Node (I12). A wait leaves no timer and no listener behind, however it ends. */
import { Interruption } from '../engine/ground/errors.ts';
import type { AbortSignal, Clock } from '../engine/ports.ts';

/** Milliseconds, about 25 days. `setTimeout` fires at once for a longer delay. */
const maxTimer = 2 ** 31 - 1;

/** `sleep` throws Interruption `cancelled` once its signal aborts. */
export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    let left = ms;
    for (; left > maxTimer; left -= maxTimer) await wait(maxTimer, signal);
    await wait(left, signal);
  },
};

function wait(ms: number, signal: AbortSignal): Promise<void> {
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
