/** The two documents that every sprint starts from. */

/** A shorter one cannot say enough. */
export const minCharacters = 40;

/** What to write in each. */
export const whatToWrite = {
  'VISION.md': 'Write in it the outcome that someone should have, and for whom.',
  'PRD.md': 'Write in it what must be true when the sprint is delivered.',
} as const;
export type SprintDocument = keyof typeof whatToWrite;
