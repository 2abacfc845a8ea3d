/** What later sessions are told of how the sprint goes on: corrections, and what the person said. */
import type { State } from '../state/state.ts';

export function guidance({ ledger }: State): string {
  const corrections = ledger.corrections.flatMap((c) => (c.guidance.trim() ? [`- ${c.guidance.trim()}`] : []));
  const advice = ledger.advice.map((said) => `- The person says: ${said}`);
  const lines = [...corrections, ...advice];
  return lines.length > 0 ? `Decided on the way, the latest last:\n\n${lines.join('\n')}` : 'No course correction was made.';
}
