/**
 * The only way in which the host calls git (I10): hardened, without prompts, abortable (`call.ts`). The push of `pull-request.ts`
 * alone is the person's own, with their hooks. Each call names git folder and work tree, so a `.git` file that an agent planted is
 * never read. Submodules and nested repositories are never entered.
 */
import { Interruption } from '../../engine/ground/errors.ts';
import { oneLine } from '../../engine/ground/text.ts';
import { callGit, type CallGit, type GitCall, type GitOutcome } from './call.ts';

/** Where git works, and the settings for each call there. Without `gitDir` git looks for the repository itself. */
export interface GitAt extends Pick<GitCall, 'folder' | 'gitDir' | 'excludes' | 'config'> {
  signal?: AbortSignal | undefined;
  /** Calls git. Default: in this process. */
  call?: CallGit | undefined;
}
export interface RunOptions extends Pick<GitCall, 'input' | 'config' | 'maxBytes' | 'timeout' | 'whole'> {
  /** Exit statuses besides 0 that are a result and no failure. */
  answers?: number[];
}
export interface Git {
  readonly at: GitAt;
  /** Standard output. @throws GitFailed, GitTimedOut, GitOverflowed, Interruption('cancelled'), and what `call` throws. */
  run(args: string[], options?: RunOptions): Promise<string>;
  /** The fields that a `-z` command prints. */
  list(args: string[], options?: RunOptions): Promise<string[]>;
  /** True for exit status 0, false for 1. */
  test(args: string[], options?: RunOptions): Promise<boolean>;
}

/** A failed call. `exit` is below 0 when git could not be started. */
export class GitFailed extends Error {
  override readonly name = 'GitFailed';
  constructor(
    args: string[],
    readonly exit: number,
    readonly stderr: string,
  ) {
    super(`git ${args.join(' ').slice(0, 200)} failed (exit ${exit}): ${stderr.trim().slice(0, 2000)}`);
  }
  /** Git's own reasons, in one line. */
  get words(): string {
    return oneLine(this.stderr.replaceAll(/^(?:error|fatal): /gm, ''));
  }
}
export class GitTimedOut extends Error {
  override readonly name = 'GitTimedOut';
}
/** A call that printed more than `maxBytes`. */
export class GitOverflowed extends Error {
  override readonly name = 'GitOverflowed';
  /** @param output what it printed before. */
  constructor(readonly output: string) {
    super('git printed more than it may');
  }
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

async function outcome(at: GitAt, args: string[], { answers = [], config = [], ...options }: RunOptions): Promise<GitOutcome> {
  const { signal, call = callGit, config: always = [], ...where } = at;
  if (signal?.aborted) throw new Interruption('cancelled', 'Stopped before git was called.');
  const done = await call({ args, ...where, ...options, config: [...always, ...config] }, signal);
  const { stopped, exit, stderr } = done;
  if (stopped === 'full') throw new GitOverflowed(done.output);
  if (stopped === 'late') throw new GitTimedOut(`git ${args[0] ?? ''} took longer than ${String(options.timeout)} ms`);
  if (stopped === 'cancelled') throw new Interruption('cancelled', 'Stopped while git was at work.');
  if (exit !== 0 && !answers.includes(exit)) throw new GitFailed(args, exit, stderr);
  return done;
}
