/** Fixes that did not mend, by what the engine saw after them and never by what was said (I5, I9). Pure (I3). */
import type { Ledger } from '../state/ledger.ts';
import type { FixRecord } from '../work/fix.ts';

type Seen = Pick<Ledger, 'runs' | 'probes' | 'fixes'>;

/**
 * Of a check or a service, ever: taken back, without a change, or kept and not good when it was looked at next; what was not
 * run since is not known yet. A fixer who calls the check wrong made no fix.
 */
export function failedFixes(ledger: Seen, lineage: string): FixRecord[] {
  const seen = outcomes(ledger, lineage);
  const isBad = (after: number): boolean => seen.slice(after).find((good) => good !== undefined) === false;
  return (ledger.fixes[lineage] ?? []).filter(
    ({ after, outcome, answer }) => answer.kind === 'fixed' && (outcome === 'kept' ? isBad(after) : outcome !== 'open'),
  );
}

/** Those since it was last green, or up. */
export function failedSinceGood(ledger: Seen, lineage: string): FixRecord[] {
  const good = outcomes(ledger, lineage).lastIndexOf(true) + 1;
  return failedFixes(ledger, lineage).filter(({ after }) => after >= good);
}

/** Of each attempt, in order, whether it was good on a tree that was kept; undefined where it says nothing about one. */
function outcomes({ runs, probes }: Seen, lineage: string): (boolean | undefined)[] {
  const checked = runs[lineage]?.map(({ verdict, where, code }) => (where === 'revert' || code === null ? undefined : verdict === 'green'));
  return checked ?? probes[lineage]?.map(({ up, code }) => (code === null ? undefined : up)) ?? [];
}
