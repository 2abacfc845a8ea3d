/** Messages between an engine and its launcher process. Both ends are Loop's, so types suffice and nothing is parsed. */
import type { Finished } from '../../engine/work/job.ts';
import type { HostJob } from '../egress/open-egress.ts';
import type { GitCall, GitOutcome } from '../git/call.ts';
import type { RunnerOptions } from '../sandbox/options.ts';

/** A runner's options as plain data. */
export type RemoteOptions = Omit<RunnerOptions, 'variables'> & {
  /** Values of the variables that the person named for commands, by name. */
  variables: Readonly<Record<string, string>>;
};

/** Runners and calls have numbers. A chunk is input or output of a command; null ends its input. */
export type ToLauncher =
  | { type: 'open'; runner: number; options: RemoteOptions }
  | { type: 'close'; runner: number }
  | { type: 'run'; call: number; runner: number; job: HostJob; talks: boolean }
  | { type: 'git'; call: number; git: GitCall }
  | { type: 'abort'; call: number }
  | { type: 'stdin'; call: number; chunk: Uint8Array | null };

export type FromLauncher =
  | { type: 'begun'; call: number; root: string; ports: Readonly<Record<string, string>> }
  | { type: 'output'; call: number; chunk: Uint8Array }
  | { type: 'finished'; call: number; result: Finished | GitOutcome }
  | { type: 'failed'; call: number; failure: CallFailure };

export interface CallFailure {
  message: string;
  /** The next step for the person; left out for a bug of Loop, which has `stack` instead. */
  next?: string | undefined;
  stack?: string | undefined;
}
