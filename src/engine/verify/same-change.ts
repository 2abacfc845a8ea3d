/**
 * Whether a fix repeats one that failed (spec/3). Patches are compared by what they take out, put in and stand beside; line
 * numbers and object names are not part of a change. Pure (I3).
 */
import type { State } from '../state.ts';
import type { FixRecord } from '../work/fix.ts';

/** Fixes of a lineage that were taken back because they broke something, or were kept and did not turn its check green or bring its service up. */
export function failedFixes({ ledger }: Pick<State, 'ledger'>, lineage: string): FixRecord[] {
  const runs = ledger.runs[lineage] ?? [];
  const probes = ledger.probes?.[lineage] ?? [];
  return (ledger.fixes[lineage] ?? []).filter(({ outcome, step, after }) => {
    if (outcome === 'undone') return ledger.undone.some((u) => u.change.step === step && u.broke.length > 0);
    if (outcome !== 'kept') return false;
    const next = runs.slice(after).find((run) => run.where === 'tree');
    const probe = probes.slice(after).find((p) => p.code !== null);
    return (next !== undefined && next.verdict !== 'green') || probe?.up === false;
  });
}

export function isSameChange(one: string, other: string): boolean {
  return essence(one) === essence(other);
}

/** A patch without the places of its hunks and the names of its objects, its files in a fixed order. */
function essence(patch: string): string {
  const files = patch.split(/^(?=diff --git )/m).map((file) =>
    file
      .split('\n')
      .filter((line) => !/^index [0-9a-f]+\.\.[0-9a-f]+/.test(line))
      .map((line) => (line.startsWith('@@ ') ? '@@' : line))
      .join('\n')
      .trim(),
  );
  return files.filter(Boolean).sort().join('\n'); // prettier-ignore
}
