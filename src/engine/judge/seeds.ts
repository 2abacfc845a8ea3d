/**
 * The seeds that a verification runs with, one after the other. Those of a clean checkout follow from the commit that it judges,
 * so no builder can know them while the code can still change (docs/proof-judged-work.md).
 */
import { seedFrom } from '../ground/seed.ts';
import type { State } from '../state/state.ts';
import { resultOf, type Run, type Runnable, type Script } from '../work/verification.ts';
import { runsOf } from './trust.ts';

/** In a clean checkout a verification that varies must be green with so many. */
export const seedsNeeded = 3;

/** Empty for one that does not vary: it runs once. A seed that it failed with comes first, until it is green again. */
export function seedsOf(state: State, verification: Runnable, where: Run['where']): string[] {
  if (verification.kind !== 'script' || !verification.varies) return [];
  const failed = failedSeed(state, verification);
  const drawn = where === 'clean' ? drawnFor(state, verification) : [seedFrom(['ordinary', verification.script])];
  return [...new Set([...(failed === undefined ? [] : [failed]), ...drawn])];
}

/** The seed of its last result, where that is red. */
function failedSeed(state: State, verification: Script): string | undefined {
  const hidden = state.ledger.hidden.runs.filter(
    ({ lineage, script }) => lineage === verification.lineage && script === verification.script,
  );
  const last = [...runsOf(state, verification), ...hidden].findLast((run) => resultOf(run));
  return last?.verdict === 'red' ? last.seed : undefined;
}

function drawnFor({ opened, work: { tree } }: State, { id, script }: Script): string[] {
  const commit = tree.commits.at(-1)?.commit ?? opened.base.commit;
  return Array.from({ length: seedsNeeded }, (_, n) => seedFrom([opened.sprint, String(tree.code), commit, id, script, String(n)]));
}
