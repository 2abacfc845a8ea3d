/** One command or script that runs in the sandbox, and how it ended. */
import type { Service } from './service.ts';

/** Where a command runs: the sprint's worktree or one scratch checkout. */
export type Place = 'worktree' | { scratch: string };

export interface Job {
  /** A shell command, or a verification's script under its `scriptName`, mounted read-only. */
  run: { command: string } | { script: string; ext: string; name: string };
  at: Place;
  /** Seconds; the whole process namespace is killed at its end. */
  timeout: number;
  network: boolean;
  /** The tree is shown but cannot be written: for agents that look and report. */
  readonly?: boolean;
  /** Started inside, in the same sandbox, before the command begins; all must be ready first. */
  services?: readonly Service[];
}
/** A service that did not come up: the command was not run. */
export interface DeadService {
  name: string;
  /** `refused`: it is not started here and nothing answers; `taken`: something else answered before it was started. */
  how: 'exited' | 'not-ready' | 'refused' | 'taken';
  exit: number | null;
  /** Who holds its port, in words, where that can be told. */
  holder?: string;
}
export interface Finished {
  /** Exit status; null when it was killed. */
  exit: number | null;
  timedOut: boolean;
  /** Wall time, milliseconds. */
  duration: number;
  /** Standard output and error as they came, redacted, capped at 16 MiB. */
  output: string;
  /** Bytes that the cap cut off. */
  dropped: number;
  /** The first service that did not come up. */
  dead?: DeadService;
  /** The end of what each service printed, redacted, by name. Not part of `output`: a service is no witness. */
  logs?: Readonly<Record<string, string>>;
  /** Texts of the reports that a verification left in the folder given to it, redacted; few and bounded. */
  reports?: readonly string[];
  /** The folder that it ran in, as its output names it. */
  root?: string;
}
