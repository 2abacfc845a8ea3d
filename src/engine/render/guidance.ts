/** Guidance for all later sessions: course corrections, and what the person answered. */
import type { State } from '../state/state.ts';

export function guidance({ ledger }: State): string {
  const corrections = ledger.corrections.flatMap((c) => (c.guidance.trim() ? [`- ${c.guidance.trim()}`] : []));
  const advice = ledger.advice.map((words) => `- The person says: ${words}`);
  const lines = [...corrections, ...advice];
  return lines.length > 0 ? `Decided on the way, the latest last:\n\n${lines.join('\n')}` : 'No course correction was made.';
}
