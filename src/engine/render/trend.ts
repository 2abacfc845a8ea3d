/** How the value grew, as each assessment judged it. */
import type { State } from '../state/state.ts';
import { codeWords } from './story.ts';
import type { Vrc } from '../work/assessment.ts';

/** All assessments. */
export function trend(state: State): string {
  return trendLines(state, state.ledger.assessments.vrcs).join('\n') || 'Not assessed yet.';
}

/** One line for each assessment, oldest first. */
export function trendLines(state: State, vrcs: readonly Vrc[]): string[] {
  return vrcs.map((vrc) => line(vrc, state));
}

function line({ code, scope, fallback, valueScore, recommendation, gaps, summary }: Vrc, state: State): string {
  const kind = fallback ? `${scope}, but without an answer: these are the engine's figures` : scope;
  const open = gaps.length === 0 ? '' : `; ${gaps.length === 1 ? '1 gap' : `${gaps.length} gaps`}`;
  return `- ${codeWords(code, state)}: value ${valueScore.toFixed(2)}, ${recommendation}${open} (${kind}): ${summary}`;
}
