/** What a person looks through before *Finish*, and what the buttons of *Finish* are called. */
import type { Ref } from '../../engine/state/events.ts';
import type { FileSides } from '../../engine/work/tree.ts';
import type { SprintView } from './sprint-view.ts';
import { t } from '../words.ts';

/** A kept change, or all that serve a requirement. */
export interface ReviewPart {
  title: string;
  /** In the order of the commits. */
  patches: Ref[];
  files: number;
}

/** In the order of the commits. */
export function partsOf({ changes, phases }: Pick<SprintView, 'changes' | 'phases'>): ReviewPart[] {
  const titles = new Map(phases.flatMap(({ tasks }) => tasks).map(({ id, title }) => [id, title]));
  return changes.map(({ title, patch, files }) => {
    const name = titles.get(title);
    return { title: name === undefined ? title : `${title} ${name}`, patches: [patch], files: files.length };
  });
}

/** What was built for each requirement: the changes of the tasks that serve it. One that nothing was built for is left out. */
export function requirementPartsOf({
  changes,
  phases,
  requirements,
}: Pick<SprintView, 'changes' | 'phases' | 'requirements'>): ReviewPart[] {
  const tasks = phases.flatMap((phase) => phase.tasks);
  return requirements.flatMap(({ id, title }) => {
    const serving = new Set(tasks.filter((task) => task.requirements.includes(id)).map((task) => task.id));
    const made = changes.filter((change) => serving.has(change.title));
    const files = new Set(made.flatMap((change) => change.files.map(({ path }) => path)));
    return made.length === 0 ? [] : [{ title: `${id} ${title}`, patches: made.map(({ patch }) => patch), files: files.size }];
  });
}

/** Each file once: as it was before the first change, and after the last. A file that is as it was is left out. */
export function joinedSides(sides: readonly FileSides[]): FileSides[] {
  const joined = new Map<string, FileSides>();
  for (const { path, before, after } of sides) {
    const known = joined.get(path);
    joined.set(path, { path, before: known ? known.before : before, after });
  }
  return [...joined.values()].filter(({ before, after }) => before !== after);
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
