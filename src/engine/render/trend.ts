/** How the value grew, as each assessment judged it. */
import type { State } from '../state/state.ts';
import { codeWords } from './story.ts';
import type { Vrc } from '../work/assessment.ts';

/** One line for each assessment, oldest first. */
export function trend(state: State): string {
  return state.ledger.assessments.vrcs.map((vrc) => line(vrc, state)).join('\n') || 'Not assessed yet.';
}

function line({ code, scope, fallback, valueScore, recommendation, gaps, summary }: Vrc, state: State): string {
  const kind = fallback ? `${scope}, but without an answer: these are the engine's figures` : scope;
  const open = gaps.length === 0 ? '' : `; ${gaps.length === 1 ? '1 gap' : `${gaps.length} gaps`}`;
  return `- ${codeWords(code, state)}: value ${valueScore.toFixed(2)}, ${recommendation}${open} (${kind}): ${summary}`;
}
