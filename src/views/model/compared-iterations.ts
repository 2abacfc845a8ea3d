/** The iterations of a run whose outputs can be compared: those that left one. */
import type { Ref } from '../../engine/state/events.ts';
import { decisionLooks } from './looks.ts';
import type { PipelineView } from './pipeline-view.ts';
import { t } from '../words.ts';

export interface Comparable {
  node: string;
  n: number;
  /** `plan, iteration 2`. */
  name: string;
  /** What it decided. */
  words: string;
  reason: string;
  output: Ref;
}

/** In the order of the stages. */
export function comparable({ stages }: PipelineView): Comparable[] {
  return stages.flatMap(({ id, iterations }) =>
    iterations.flatMap(({ n, decision, reason, output }) =>
      output === null ? [] : [{ node: id, n, name: t('{0}, iteration {1}', id, n), words: decisionLooks[decision].words, reason, output }],
    ),
  );
}

/** The nearest one before it in the same stage: one that left no output is passed over. */
export function beforeIt(all: readonly Comparable[], { node, n }: Comparable): Comparable | undefined {
  return all.findLast((one) => one.node === node && one.n < n);
}
