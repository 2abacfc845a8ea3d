/** The latest measure of a script. */
import type { State } from '../state/state.ts';
import type { Measure, Verification } from '../work/verification.ts';

/** The latest measure of exactly this script. */
export function measureOf({ ledger }: State, verification: Pick<Verification, 'lineage' | 'script'>): Measure | undefined {
  return latestIn(ledger.measures).get(keyOf(verification));
}

interface Latest {
  of: Map<string, Measure>;
  /** So many of all are in it. */
  count: number;
}

/** Every event asks for all of them. The ledger only adds to its list (I9), so what was found before stays so. */
const known = new WeakMap<readonly Measure[], Latest>();

function latestIn(measures: readonly Measure[]): ReadonlyMap<string, Measure> {
  const latest = known.get(measures) ?? { of: new Map<string, Measure>(), count: 0 };
  if (latest.count < measures.length) for (const measure of measures.slice(latest.count)) latest.of.set(keyOf(measure), measure);
  latest.count = measures.length;
  known.set(measures, latest);
  return latest.of;
}

function keyOf({ lineage, script }: Pick<Measure, 'lineage' | 'script'>): string {
  return `${script}@${lineage}`;
}
