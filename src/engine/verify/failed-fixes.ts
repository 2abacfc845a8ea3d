/** Fixes that did not mend, by what the engine saw after them and never by what was said (I5, I9). Pure (I3). */
import type { Ledger } from '../ledger.ts';
import type { FixRecord } from '../work/fix.ts';

/**
 * Of a check or a service: since it was last green or up on a tree that was kept. Taken back, without a change, or kept and
 * red again; what was not run since is not known yet. A fixer who calls the check wrong made no fix.
 */
export function failedFixes(ledger: Pick<Ledger, 'runs' | 'probes' | 'fixes'>, lineage: string): FixRecord[] {
  const seen = outcomes(ledger, lineage);
  const good = seen.lastIndexOf(true) + 1;
  return (ledger.fixes[lineage] ?? []).filter(
    ({ after, outcome, wrong }) =>
      !wrong && after >= good && (outcome === 'undone' || outcome === 'no change' || (outcome === 'kept' && seen.length > after)),
  );
}

/** Of each attempt, in order, whether it was good on a tree that was kept. */
function outcomes({ runs, probes }: Pick<Ledger, 'runs' | 'probes'>, lineage: string): boolean[] {
  const checked = runs[lineage]?.map(({ verdict, where, code }) => verdict === 'green' && where !== 'revert' && code !== null);
  return checked ?? probes?.[lineage]?.map(({ up, code }) => up && code !== null) ?? [];
}
