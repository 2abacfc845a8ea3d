/**
 * The one way the host calls git (I10, design §8.4): hardened, without prompts, abortable (`call.ts`). A `Git` names its git
 * folder and work tree itself, so that a `.git` file which somebody planted in a work tree is never read; submodules and nested
 * repositories are never entered.
 */
import { Interruption } from '../../engine/ground/errors.ts';
import { callGit, type CallGit, type GitCall, type GitOutcome } from './call.ts';

/** Where git works, and who calls it. Without `gitDir` git looks for the repository itself: only `inspect.ts` does that. */
export interface GitAt extends Pick<GitCall, 'folder' | 'gitDir' | 'excludes'> {
  signal?: AbortSignal | undefined;
  /** Default: this process. */
  call?: CallGit | undefined;
}
export interface RunOptions extends Pick<GitCall, 'input' | 'config' | 'maxBytes' | 'timeout'> {
  /** Exit statuses that are an answer. Default: only 0. */
  answers?: number[];
}
export interface Git {
  readonly at: GitAt;
  /** Standard output. @throws GitFailed, GitTimedOut, Interruption('cancelled'), and what `call` throws. */
  run(args: string[], options?: RunOptions): Promise<string>;
  /** Output of a `-z` command. */
  list(args: string[], options?: RunOptions): Promise<string[]>;
  /** Whether it exits with 0 rather than 1. */
  test(args: string[], options?: RunOptions): Promise<boolean>;
}

/** Git said no. `exit` is below 0 when it could not be started. */
export class GitFailed extends Error {
  override readonly name = 'GitFailed';
  constructor(
    args: string[],
    readonly exit: number,
    readonly said: string,
  ) {
    super(`git ${args.join(' ').slice(0, 200)} failed (exit ${exit}): ${said.trim().slice(0, 2000)}`);
  }
}
export class GitTimedOut extends Error {
  override readonly name = 'GitTimedOut';
}

export function openGit(at: GitAt): Git {
  const run = async (args: string[], options: RunOptions = {}) => (await outcome(at, args, options)).output;
  return {
    at,
    run,
    list: async (args, options) => (await run(args, options)).split('\0').filter((item) => item !== ''),
    test: async (args, options) => (await outcome(at, args, { ...options, answers: [1] })).exit === 0,
  };
}

async function outcome(at: GitAt, args: string[], { answers = [], ...options }: RunOptions): Promise<GitOutcome> {
  const { signal, call = callGit, ...where } = at;
  if (signal?.aborted) throw new Interruption('cancelled', 'Stopped before git was called.');
  const done = await call({ args, ...where, ...options }, signal);
  const { stopped, exit, said } = done;
  if (stopped === 'full') return done;
  if (stopped === 'late') throw new GitTimedOut(`git ${args[0] ?? ''} took longer than ${String(options.timeout)} ms`);
  if (stopped === 'cancelled') throw new Interruption('cancelled', 'Stopped while git was at work.');
  if (exit !== 0 && !answers.includes(exit)) throw new GitFailed(args, exit, said);
  return done;
}
