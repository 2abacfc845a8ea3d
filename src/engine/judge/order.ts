/** The order in which verifications run: likely failures first, and slow ones early. */
import type { Ledger } from '../state/ledger.ts';
import type { Runnable } from '../work/verification.ts';
import { rankOf } from '../work/tier.ts';

/**
 * Lower tiers first; within a tier recently failed ones, then the longest known duration, then those that never ran. Ties keep
 * the given order.
 * @param first these run before all others.
 */
export function runOrder<V extends Runnable>(verifications: readonly V[], runs: Ledger['runs'], first: readonly Runnable[] = []): V[] {
  const urgent = new Set(first.map(({ id }) => id));
  const rank = (verification: Runnable): [number, number, number, number] => {
    const last = runs[verification.lineage]?.findLast((run) => run.where !== 'revert');
    const failed = last !== undefined && last.verdict !== 'green';
    return [urgent.has(verification.id) ? 0 : 1, rankOf(verification), failed ? 0 : 1, -(last?.duration ?? -1)];
  };
  return verifications
    .map((verification) => ({ verification, rank: rank(verification) }))
    .sort(({ rank: a }, { rank: b }) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2] || a[3] - b[3])
    .map(({ verification }) => verification);
}
