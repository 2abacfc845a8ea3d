/** Waits for the first of several things. The other waits are aborted, and have ended when it returns (I12). */
import { Interruption } from './ground/errors.ts';
import type { AbortSignal } from './ports.ts';

/** The platform's own class, declared here because the engine compiles without the platform's types (I12). */
declare const AbortController: new () => { readonly signal: AbortSignal; abort(): void };

/** @throws Interruption when the signal aborts, else the error of the wait that ended first. */
export async function firstOf<T>(signal: AbortSignal, waits: readonly ((signal: AbortSignal) => Promise<T>)[]): Promise<T> {
  if (signal.aborted) throw stopped();
  const waiting = new AbortController();
  const stop = (): void => waiting.abort();
  signal.addEventListener('abort', stop, { once: true });
  const running = waits.map((wait) => wait(waiting.signal));
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
