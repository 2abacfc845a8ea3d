/** What an engine and the process that launches its programs say to each other. Both ends are ours, so types suffice. */
import type { Finished, Job } from '../../engine/work/job.ts';
import type { GitCall, GitOutcome } from '../git/call.ts';
import type { RunnerOptions } from '../sandbox/options.ts';

/** What a runner is made of, as plain data. */
export type RemoteOptions = Omit<RunnerOptions, 'variables'> & {
  /** What the person named of their environment, by name. */
  variables: Readonly<Record<string, string>>;
};

/** Runners are told apart by number, and calls. A chunk is for, or from, a command that is talked with; null ends what it reads. */
export type ToLauncher =
  | { type: 'open'; runner: number; options: RemoteOptions }
  | { type: 'run'; call: number; runner: number; job: Job; talks: boolean }
  | { type: 'git'; call: number; git: GitCall }
  | { type: 'abort'; call: number }
  | { type: 'stdin'; call: number; chunk: Uint8Array | null };

export type FromLauncher =
  | { type: 'begun'; call: number; root: string; port: number }
  | { type: 'output'; call: number; chunk: Uint8Array }
  | { type: 'finished'; call: number; result: Finished | GitOutcome }
  | { type: 'failed'; call: number; failure: CallFailure };

export interface CallFailure {
  message: string;
  /** What a person can do about it; left out where it is a bug of ours, which says where it happened. */
  next?: string | undefined;
  stack?: string | undefined;
}
