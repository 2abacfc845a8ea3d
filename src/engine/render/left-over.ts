/** What is left over of sprints on the disk, in words: what it is, what is lost with it, and why some of it stays. */

/**
 * `caches`: of a sprint that is over. `archive`: the record of an earlier one. `session`: that of a pipeline that was finished.
 * `unknown`: of a sprint whose folder is not in this repository any more. `gone`: of a repository that is not there.
 */
export const leftoverWords = {
  caches: 'Worktree and caches',
  archive: 'Archive of an earlier sprint',
  session: 'Record of a pipeline',
  unknown: 'Of a sprint that is not found',
  gone: 'Of a repository that is not there',
} as const;
export type LeftoverKind = keyof typeof leftoverWords;

export const lossWords: Readonly<Record<LeftoverKind, string>> = {
  caches: 'Nothing that counts: packages are downloaded again where they are needed. Its branch stays.',
  archive: 'Its history, report and evidence, its caches, and its place in what a sprint typically costs. Its branch stays.',
  session: 'Its outputs, decisions and report, and its caches. Its branch stays.',
  unknown: 'If its folder still exists somewhere, that sprint cannot go on. Its branch stays.',
  gone: 'If the repository comes back, an unfinished sprint in it cannot go on, and what it had not committed is lost.',
};

export const keptWords = {
  running: 'its sprint runs',
  'goes-on': 'its sprint can go on; Finish with "keep" or "drop" ends it',
  unfinished: 'its sprint is over, but not finished; Finish ends it',
  unreadable: 'not every folder or journal could be read, so nobody knows whose it is',
} as const;
export type WhyKept = keyof typeof keptWords;

/** `12 kB`, `3.4 MB`, `1.2 GB`: as a person counts. */
export function sizeWords(bytes: number): string {
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = bytes / 1000;
  let unit = 0;
  for (; value >= 999.5 && unit < units.length - 1; value /= 1000) unit += 1;
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}
