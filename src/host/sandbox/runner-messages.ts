/** What an engine and the process that runs its sandboxes say to each other. Both ends are ours, so types suffice. */
import type { Finished, Job } from '../../engine/ports.ts';
import type { RunnerOptions } from './runner.ts';

/** What a runner is made of, as plain data. */
export type RemoteOptions = Omit<RunnerOptions, 'variables'> & {
  /** What the person named of their environment, by name. */
  variables: Readonly<Record<string, string>>;
};

/** Runs are told apart by number. A chunk is for, or from, a command that is talked with; null is the end of what it reads. */
export type ToRunner =
  | { type: 'open'; options: RemoteOptions }
  | { type: 'run'; run: number; job: Job; talks: boolean }
  | { type: 'abort'; run: number }
  | { type: 'stdin'; run: number; chunk: Uint8Array | null };

export type FromRunner =
  | { type: 'begun'; run: number; root: string; port: number }
  | { type: 'output'; run: number; chunk: Uint8Array }
  | { type: 'finished'; run: number; finished: Finished }
  | { type: 'failed'; run: number; failure: RunFailure };

export interface RunFailure {
  message: string;
  /** What a person can do about it; left out where it is a bug of ours, which says where it happened. */
  next?: string | undefined;
  stack?: string | undefined;
}
