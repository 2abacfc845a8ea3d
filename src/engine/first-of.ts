/** Waiting for whichever comes first (I12): the other waits are aborted and over when it returns. */
import { Interruption } from './ground/errors.ts';
import type { AbortSignal } from './ports.ts';

/** The platform's own; the engine compiles without its types. */
declare const AbortController: new () => { readonly signal: AbortSignal; abort(): void };

/** @throws Interruption when the signal aborts; what the first wait to end throws. */
export async function firstOf<T>(signal: AbortSignal, waits: readonly ((signal: AbortSignal) => Promise<T>)[]): Promise<T> {
  if (signal.aborted) throw stopped();
  const rest = new AbortController();
  const stop = (): void => rest.abort();
  signal.addEventListener('abort', stop, { once: true });
  const running = waits.map((wait) => wait(rest.signal));
  try {
    const first = await Promise.race(running);
    if (signal.aborted) throw stopped();
    return first;
  } catch (error) {
    throw signal.aborted ? stopped() : error;
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
    await Promise.allSettled(running);
  }
}

function stopped(): Interruption {
  return new Interruption('cancelled', 'The sprint was stopped while it waited for you.');
}
