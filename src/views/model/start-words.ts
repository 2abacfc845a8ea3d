/** What a person reads of a sprint before they start it, from numbers: the engine's own words of it are English. */
import { plural, t } from '../words.ts';

export interface ReadingNumbers {
  requirements: number;
  constraints: number;
  /** Sections that demand nothing. */
  background: number;
  /** Which ones. */
  names: string;
}

/** `13 requirements, 3 constraints, 2 sections read as background (Errors, Users)`. */
export function readingText({ requirements, constraints, background, names }: ReadingNumbers): string {
  return [
    plural(requirements, '{0} requirement', '{0} requirements'),
    ...(constraints > 0 ? [plural(constraints, '{0} constraint', '{0} constraints')] : []),
    ...(background > 0 ? [plural(background, '{0} section read as background', '{0} sections read as background') + ` (${names})`] : []),
  ].join(', ');
}

/** Empty where all is committed. @param files how many are not; null where git could not tell. */
export function uncommittedText(files: number | null): string {
  if (files === 0) return '';
  if (files === null)
    return t(
      'Git could not tell what in your checkout is not committed (git status tells, or says why not): the sprint starts from your last commit, without any of it.',
    );
  return plural(
    files,
    '{0} file of your checkout has changes that are not committed: the sprint starts from your last commit, without them.',
    '{0} files of your checkout have changes that are not committed: the sprint starts from your last commit, without them.',
  );
}
