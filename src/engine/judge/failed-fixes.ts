/** Fixes that failed: judged by the runs that followed, never by the fixer's report (I5, I9). */
import type { Ledger } from '../state/ledger.ts';
import type { FixRecord } from '../work/fix.ts';
import { resultOf } from '../work/verification.ts';

type Evidence = Pick<Ledger, 'runs' | 'probes' | 'fixes'>;

/**
 * All failed fixes of a verification or a service: undone, without a change, or kept and followed by a bad result. A kept fix
 * without a later run has not failed yet. A doubt is not a fix, nor is a session that found nothing to mend.
 */
export function failedFixes(ledger: Evidence, lineage: string): FixRecord[] {
  const results = outcomes(ledger, lineage);
  const isBad = (after: number): boolean => results.slice(after).find((good) => good !== undefined) === false;
  return (ledger.fixes[lineage] ?? []).filter(
    ({ after, outcome, answer, idle }) => answer.kind === 'fixed' && !idle && (outcome === 'kept' ? isBad(after) : outcome !== 'open'),
  );
}

/** Failed fixes since it was last green, or up. */
export function failedSinceGood(ledger: Evidence, lineage: string): FixRecord[] {
  const good = outcomes(ledger, lineage).lastIndexOf(true) + 1;
  return failedFixes(ledger, lineage).filter(({ after }) => after >= good);
}

/** For each run or probe in order: whether it was good; undefined if it tells nothing about a kept tree. */
function outcomes({ runs, probes }: Evidence, lineage: string): (boolean | undefined)[] {
  const ran = runs[lineage]?.map((run) => (resultOf(run) ? run.verdict === 'green' : undefined));
  return ran ?? probes[lineage]?.map(({ up, code, machine }) => (code === null || machine ? undefined : up)) ?? [];
}
