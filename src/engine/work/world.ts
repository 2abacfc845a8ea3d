/**
 * The world that a verdict is taken in: what is installed, what the person supplied, started and granted, and what discovery
 * declared. It has a number that rises with each change; what was not green in an older world is no result any more.
 */
/** The attempt that a verdict, or a probe of a service, comes from: its number in the lineage, and the world it was made in. */
export interface Attempt {
  n: number;
  /** Absent in journals of older versions, which knew no worlds: what failed there still counts. */
  world?: number | undefined;
}
