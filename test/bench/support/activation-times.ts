/** What the extension host reports to the benchmark `activation`, which runs outside of it. */
/** The environment variable with the file. Each of its lines is an `ActivationTimes`. */
export const timesFileVariable = 'LOOP_BENCH_TIMES';

/** Times in milliseconds. */
export interface ActivationTimes {
  /** The whole `activate()` of the editor, including what it fetches for the extension's context. */
  readonly total: number;
  /** Part of it: running the bundle. */
  readonly load: number;
  /** Part of it: the bundle's own `activate`. */
  readonly call: number;
  /** The longest delay of the host's event loop in the second after it. */
  readonly delayAfter: number;
}

/** Behind a workspace's name: the folder of what is put into it once its editor runs. */
export const staged = '.staged';
