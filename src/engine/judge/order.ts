/** In which order checks run: what most likely tells something first, and what takes long early. Pure (I3). */
import type { Ledger } from '../state/ledger.ts';
import type { Check } from '../work/check.ts';
import { rankOf } from '../work/tier.ts';

/**
 * Lower tiers first; in a tier recently failed ones first, then by known duration, the longest first, then those that never
 * ran; among equals the order that was given. `first` goes before all others.
 */
export function runOrder(checks: readonly Check[], runs: Ledger['runs'], first: readonly Check[] = []): Check[] {
  const urgent = new Set(first.map(({ id }) => id));
  const rank = (check: Check): [number, number, number, number] => {
    const last = runs[check.lineage]?.findLast((run) => run.where !== 'revert');
    const failed = last !== undefined && last.verdict !== 'green';
    return [urgent.has(check.id) ? 0 : 1, rankOf(check), failed ? 0 : 1, -(last?.duration ?? -1)];
  };
  return checks
    .map((check) => ({ check, rank: rank(check) }))
    .sort(({ rank: a }, { rank: b }) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2] || a[3] - b[3])
    .map(({ check }) => check);
}
