/** What the person took out of the sprint, in words. */
import { oneLine } from '../ground/text.ts';
import type { State } from '../state/state.ts';
import type { Descoped } from '../work/requirement.ts';

/** `descoped by you: it is a second product`. */
export function descopedWords({ why, chosen }: Omit<Descoped, 'requirement'>): string {
  return `${chosen ? 'descoped by you' : 'descoped, as you let Loop decide'}: ${oneLine(why).replace(/\.$/, '')}`;
}

/** A line for each, in lists of requirements. */
export function descopedLines({ work }: State): string[] {
  return work.descoped.map((one) => `- [-] **${one.requirement.id}** ${one.requirement.title}\n  - ${descopedWords(one)}`);
}

/** `without 2.1, 2.2 (descoped by you: it is a second product)`; empty where nothing was descoped. */
export function withoutWords(descoped: readonly { readonly id: string; readonly words: string }[]): string {
  const reasons = [...new Set(descoped.map(({ words }) => words))];
  const idsFor = (reason: string): string =>
    descoped
      .filter(({ words }) => words === reason)
      .map(({ id }) => id)
      .join(', ');
  return reasons.length === 0 ? '' : `without ${reasons.map((reason) => `${idsFor(reason)} (${reason})`).join('; ')}`;
}

/** The same, of a sprint. */
export function withoutIn(descoped: readonly Descoped[]): string {
  return withoutWords(descoped.map((one) => ({ id: one.requirement.id, words: descopedWords(one) })));
}
