/** The sprint's branch holds only settled commits. Any other commit at its tip would be delivered without being judged (I7). */
import { InputError } from './ground/errors.ts';
import type { Repo } from './ports.ts';
import type { State } from './state/state.ts';

/** @throws InputError when the tip is neither the last settled commit nor one that a crash left unrecorded. */
export async function requireOwnTip(state: State, repo: Pick<Repo, 'tip' | 'findCommit'>): Promise<void> {
  const { opened, work } = state;
  const expected = lastCommit(state);
  const tip = await repo.tip();
  if (tip === expected || (tip === undefined && work.tree.commits.length === 0)) return;
  const unrecorded = [work.tree.change?.step, 'closing'].filter((step) => step !== undefined);
  for (const step of unrecorded) if (tip !== undefined && (await repo.findCommit(step)) === tip) return;
  throw new InputError(
    `The sprint's branch ${opened.branch} ${tip === undefined ? 'is gone' : 'was moved'}: Loop left it at ${expected.slice(0, 10)}.`,
    `Put it back (git update-ref refs/heads/${opened.branch} ${expected.slice(0, 10)}), or finish the sprint with keep or drop.`,
  );
}

/** Where Loop left the branch. */
export function lastCommit({ opened, work }: State): string {
  return work.tree.commits.at(-1)?.commit ?? opened.base.commit;
}
