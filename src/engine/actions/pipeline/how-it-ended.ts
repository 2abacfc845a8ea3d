/** How a stage's command ended, in words that follow its name. */
import type { Finished } from '../../work/job.ts';

export function howItEnded({ exit, timedOut, stopped, dropped }: Finished): string {
  if (timedOut) return 'ran out of time';
  if (exit === null || stopped !== undefined) return 'was killed';
  if (exit !== 0) return `failed with exit status ${exit}`;
  return dropped > 0 ? 'printed too much' : 'passed';
}
