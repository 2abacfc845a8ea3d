/** What a session is told that looks through some lenses alone: which ones, and what was raised before it. */
import { promptText } from '../../ground/prompts.ts';

/** @param lenses their names; none for a look through all of them. */
export function closerWords(lenses: string, raised: readonly string[]): { before?: string } {
  return lenses === '' ? {} : { before: promptText('closer-look', { lenses, raised: raised.join('\n') || 'Nothing.' }) };
}
