/** What the Explorer shows on the file of a verification: a letter and words, never a colour alone. */
import type { Status } from '../../engine/judge/status.ts';
import { verificationLooks } from './looks.ts';
import type { SprintView } from './sprint-view.ts';

export interface Mark {
  /** Relative to the sprint's `.loop`. */
  file: string;
  badge: string;
  words: string;
  colour: string | null;
}

/** Only what a person would look for; a mark on each green one would hide them. */
const badges: Partial<Record<Status, string>> = { failed: '✗', flaky: '~', blocked: '✗' };

export function marksOf({ categories }: Pick<SprintView, 'categories'>): Mark[] {
  return categories
    .flatMap(({ verifications }) => verifications)
    .flatMap(({ file, status, edit }) => {
      const { words, colour } = verificationLooks[status];
      const badge = edit ? 'E' : badges[status];
      return badge === undefined ? [] : [{ file, badge, words, colour: edit ? 'charts.yellow' : colour }];
    });
}
