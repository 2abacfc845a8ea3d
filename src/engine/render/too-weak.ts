/** The ways out where a sprint ended with proofs that see less than it asks for. It is over, and no other one proves what it built. */
import { coverage } from '../judge/ending.ts';
import { isTooWeak, strengthFor } from '../judge/strength.ts';
import type { State } from '../state/state.ts';

/** Empty where no proof is too weak. @param run the command that starts a sprint, with a flag. */
export function tooWeakWords(state: State, run: (flag: string) => string): string {
  const ids = coverage(state).flatMap(({ requirement: { id }, provenBy }) => (!provenBy && isTooWeak(state, id) ? [id] : []));
  if (ids.length === 0) return '';
  const lower = ids.some((id) => strengthFor(state, id)?.level === 'weak') ? 'any' : 'fair';
  return `What proves ${ids.join(', ')} sees too little. Try that yourself, and merge if it does what you want. Or build it anew in another sprint, in which such a proof counts: ${run(`--evidence ${lower}`)}.`;
}
