/** What a person stops something with. */
import { setMaxListeners } from 'node:events';

/** Every sandbox listens, as many as run at a time (`checkParallelism`, at most 32), and a few waits; Node takes ten for a leak. */
const MOST = 64;

/** Its signal may be waited for by everything that a sprint does at the same time. */
export function createStop(): AbortController {
  const stop = new AbortController();
  setMaxListeners(MOST, stop.signal);
  return stop;
}
