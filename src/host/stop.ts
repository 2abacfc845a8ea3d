/** How a person stops something. */
import { setMaxListeners } from 'node:events';
import { Interruption } from '../engine/ground/errors.ts';

/** Each running sandbox listens (`verificationParallelism` is at most 32), and a few waits do. Node warns of a leak above ten. */
const maxListeners = 64;

/** Everything that a sprint does at the same time may listen to its signal. */
export function createStop(): AbortController {
  const stop = new AbortController();
  setMaxListeners(maxListeners, stop.signal);
  return stop;
}

/** A stop that has no effect any more once something began that must not stay half done. */
export interface StopUntil {
  signal: AbortSignal;
  /** From here on it is too late to stop. @throws Interruption where it was stopped before. */
  begin: () => void;
}

export function stopUntilBegun(outer: AbortSignal): StopUntil {
  const stop = createStop();
  const abort = (): void => stop.abort();
  if (outer.aborted) abort();
  else outer.addEventListener('abort', abort, { once: true });
  return {
    signal: stop.signal,
    begin() {
      if (stop.signal.aborted) throw new Interruption('cancelled', 'Stopped before anything was changed.');
      outer.removeEventListener('abort', abort);
    },
  };
}
