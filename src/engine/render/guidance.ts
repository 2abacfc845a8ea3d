/** Guidance for all later sessions: course corrections, what the person answered, and what nobody said. */
import { oneLine } from '../ground/text.ts';
import { openQuestions } from '../judge/open-points.ts';
import type { State } from '../state/state.ts';

export function guidance(state: State): string {
  const { ledger } = state;
  const corrections = ledger.corrections.flatMap((c) => (c.guidance.trim() ? [`- ${c.guidance.trim()}`] : []));
  const advice = ledger.advice.map((words) => `- The person says: ${words}`);
  const lines = [...corrections, ...advice];
  const open = openQuestions(state).map((question) => `- ${oneLine(question)}`);
  const secrets = Object.keys(ledger.leftOut);
  return [
    lines.length > 0 ? `Decided on the way, the latest last:\n\n${lines.join('\n')}` : 'No course correction was made.',
    ...(open.length > 0 ? [`The documents leave open; take what their user would expect:\n\n${open.join('\n')}`] : []),
    ...(secrets.length > 0
      ? [`Never committed and always removed, because the names say that they hold a key or a password: ${secrets.join(', ')}`]
      : []),
  ].join('\n\n');
}
