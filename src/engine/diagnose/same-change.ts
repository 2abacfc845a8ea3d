/**
 * Whether a fix repeats one that failed. Patches are compared by their removed, added and context lines, not by line numbers
 * and object names.
 */
import type { State } from '../state/state.ts';
import type { FixRecord } from '../work/fix.ts';
import { failedFixes } from '../judge/failed-fixes.ts';
import { isJudgedAnew } from '../judge/restorable.ts';

/** Failed fixes that would fail again. One that was undone breaks nothing where all that it broke is another script now, or retired. */
export function changesThatFailed(state: State, lineage: string): FixRecord[] {
  const { ledger } = state;
  const broke = new Set(ledger.undone.filter((u) => u.broke.some((id) => !isJudgedAnew(state, u, id))).map((u) => u.change.step));
  return failedFixes(ledger, lineage).filter(({ outcome, step }) => outcome === 'kept' || broke.has(step));
}

export function isSameChange(one: string, other: string): boolean {
  return normalized(one) === normalized(other);
}

/** A patch without the places of its hunks and the names of its objects, its files in a fixed order. */
function normalized(patch: string): string {
  const files = patch.split(/^(?=diff --git )/m).map((file) =>
    file
      .split('\n')
      .filter((line) => !/^index [0-9a-f]+\.\.[0-9a-f]+/.test(line))
      .map((line) => (line.startsWith('@@ ') ? '@@' : line))
      .join('\n')
      .trim(),
  );
  return files.filter(Boolean).sort().join('\n');
}
