/** The verdict of a run: by its exit status, never by what it prints (I8). The flake rule is the same wherever a verification runs. */
import type { Finished } from '../work/job.ts';
import type { Run } from '../work/verification.ts';

type End = Pick<Finished, 'exit' | 'timedOut'>;

export function isGreen({ exit, timedOut }: End): boolean {
  return exit === 0 && !timedOut;
}

/** Whether to run it again, to tell a flake from a failure. After a timeout the second run would only be slow again. */
export function isRepeated(first: End): boolean {
  return !isGreen(first) && !first.timedOut;
}

/** @param again the second run, where there was one. */
export function verdictOf(first: End, again: End | undefined): Run['verdict'] {
  if (isGreen(first)) return 'green';
  return again !== undefined && isGreen(again) ? 'flaky' : 'red';
}
