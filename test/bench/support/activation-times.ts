// Owns what the extension host tells the benchmark `activation`, which runs outside of it.

/** The variable with the file; a line is an `ActivationTimes`. */
export const TIMES_FILE = 'LOOP_BENCH_TIMES';

/** Milliseconds. */
export interface ActivationTimes {
  /** All of `activate()`, as the editor does it: with what it fetches for the extension's context. */
  readonly total: number;
  /** Of which: running the bundle. */
  readonly load: number;
  /** Of which: the bundle's own `activate`. */
  readonly call: number;
  /** Longest delay of the host's event loop in the second after it. */
  readonly delayAfter: number;
}
