/** What a person looks through before *Finish*, and what the buttons of *Finish* are called. */
import type { Ref } from '../../engine/state/events.ts';
import type { SprintView } from './sprint-view.ts';
import { t } from '../words.ts';

/** One kept change: a task, or a fix. */
export interface ReviewPart {
  title: string;
  patch: Ref;
  files: number;
}

/** In the order of the commits. */
export function partsOf({ changes, phases }: Pick<SprintView, 'changes' | 'phases'>): ReviewPart[] {
  const titles = new Map(phases.flatMap(({ tasks }) => tasks).map(({ id, title }) => [id, title]));
  return changes.map(({ title, patch, files }) => {
    const name = titles.get(title);
    return { title: name === undefined ? title : `${title} ${name}`, patch, files: files.length };
  });
}

/** What a merge brings along though it is not as it was meant. */
export interface LooseEnds {
  red: readonly string[];
  unproven: readonly string[];
  dropped: readonly string[];
}

/** `Merge with 3 Unproven, 1 Dropped`: who presses it has read what is missing. */
export function namedButton(go: string, { red, unproven, dropped }: LooseEnds): string {
  const counts = [
    [red.length, t('Failed')],
    [unproven.length, t('Unproven')],
    [dropped.length, t('Dropped')],
  ] as const;
  const ends = counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return ends.length === 0 ? go : t('{0} with {1}', go, ends.join(', '));
}
