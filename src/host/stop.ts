/** Creates the controller with which a person stops something. */
import { setMaxListeners } from 'node:events';

/** Each running sandbox listens (`verificationParallelism` is at most 32), and a few waits do. Node warns of a leak above ten. */
const maxListeners = 64;

/** Everything that a sprint does at the same time may listen to its signal. */
export function createStop(): AbortController {
  const stop = new AbortController();
  setMaxListeners(maxListeners, stop.signal);
  return stop;
}
