/**
 * The one way the host calls git (I10, design §8.4): hardened against what a repository can make git run, without
 * prompts, abortable. A `Git` names its git folder and work tree itself, so that a `.git` file which somebody planted
 * in a work tree is never read; submodules and nested repositories are never entered.
 *
 * It runs on simple-git, one instance a call, since index, input and limit differ by call. Arguments are fixed here
 * and in the callers; paths come after `--`.
 */
import { simpleGit, type SimpleGitOptions } from 'simple-git';
import { Interruption } from '../../engine/errors.ts';

/** Where git works. Without `gitDir` git looks for the repository itself: only `inspect.ts` does that. */
export interface GitAt {
  folder: string;
  gitDir?: string | undefined;
  /** File that takes the place of the person's `core.excludesFile` (and repeats it, see `excludes.ts`). */
  excludes?: string | undefined;
  signal?: AbortSignal | undefined;
}
export interface RunOptions {
  /** Standard input; never empty. */
  input?: string;
  /** Further `key=value` settings, for this call. */
  config?: string[];
  /** Exit statuses that are an answer. Default: only 0. */
  answers?: number[];
  /** Stops git after this many bytes of output and returns what came until then. */
  maxBytes?: number;
  /** Milliseconds after which git is stopped and `GitTimedOut` thrown. */
  timeout?: number;
}
export interface Git {
  readonly at: GitAt;
  /** Standard output. @throws GitFailed, GitTimedOut, Interruption('cancelled'). */
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
  const run = (args: string[], options: RunOptions = {}) => runGit(at, args, options);
  return {
    at,
    run,
    list: async (args, options) => (await run(args, options)).split('\0').filter((item) => item !== ''),
    test: async (args, options) => (await runStatus(at, args, { ...options, answers: [1] })).exit === 0,
  };
}

/** What a repository's own configuration would otherwise make git run, sign, write or ask. */
const hardened = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.pager=cat',
  'core.trustctime=true',
  'core.checkStat=default',
  'core.ignoreStat=false',
  'core.quotePath=false',
  'commit.gpgsign=false',
  'tag.gpgsign=false',
  'log.showSignature=false',
  'merge.verifySignatures=false',
  'safe.bareRepository=explicit',
  'submodule.recurse=false',
  'status.submoduleSummary=false',
  'diff.ignoreSubmodules=all',
  'fetch.recurseSubmodules=false',
  'rerere.enabled=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'trailer.separators=:',
  'color.ui=false',
  'advice.detachedHead=false',
];

/** Lifts simple-git's own refusal of the keys above: it cannot know that they are set to something harmless. */
const overridden = { allowUnsafeFsMonitor: true, allowUnsafeHooksPath: true, allowUnsafePager: true };

async function runGit(at: GitAt, args: string[], options: RunOptions): Promise<string> {
  return (await runStatus(at, args, options)).output;
}

async function runStatus(at: GitAt, args: string[], options: RunOptions): Promise<{ output: string; exit: number }> {
  const stop = stopper(at.signal, options.timeout);
  const seen = { exit: 0, said: '' };
  const env = environment(at);
  const settings: Partial<SimpleGitOptions> = {
    baseDir: at.folder,
    config: [...hardened, ...(at.excludes === undefined ? [] : [`core.excludesFile=${at.excludes}`]), ...(options.config ?? [])],
    unsafe: overridden,
    allowEnvironment: Object.keys(env).filter((key) => key.startsWith('GIT_')),
    completion: { onClose: true, onExit: false },
    abort: stop.signal,
    // simple-git wraps whatever is returned here in an error of its own; the status is kept beside it instead.
    errors: (_error, result) => {
      seen.exit = result.exitCode;
      seen.said = Buffer.concat(result.stdErr).toString('utf8');
      return undefined;
    },
  };
  if (options.input !== undefined) settings.input = () => options.input;
  const kept = new Kept(options.maxBytes ?? Infinity, stop.full);
  try {
    const output = await simpleGit(settings).env(env).outputHandler(kept.listen).raw(args);
    if (seen.exit !== 0 && !options.answers?.includes(seen.exit)) throw new GitFailed(args, seen.exit, seen.said);
    return { output, exit: seen.exit };
  } catch (error) {
    if (stop.why === 'full') return { output: kept.text(), exit: 0 };
    if (stop.why === 'late') throw new GitTimedOut(`git ${args[0] ?? ''} took longer than ${String(options.timeout)} ms`);
    if (stop.why === 'cancelled') throw new Interruption('cancelled', 'Stopped while git was at work.', { cause: error });
    throw error;
  } finally {
    stop.dispose();
  }
}

/** Sees the output pass by, up to a limit. */
class Kept {
  private readonly chunks: Buffer[] = [];
  private bytes = 0;
  constructor(
    private readonly limit: number,
    private readonly full: () => void,
  ) {}
  readonly listen = (_command: string, stdout: NodeJS.ReadableStream): void => {
    // simple-git waits another 50 ms for a command that prints nothing (measured: 55 ms instead of 3); this counts as printing.
    stdout.once('end', () => stdout.emit('data', Buffer.alloc(0)));
    if (this.limit === Infinity) return;
    stdout.on('data', (chunk: Buffer) => {
      this.bytes += chunk.length;
      if (this.bytes <= this.limit) this.chunks.push(chunk);
      else this.full();
    });
  };
  text(): string {
    return Buffer.concat(this.chunks).toString('utf8');
  }
}

/** One abort signal for the three ways to stop git, that remembers which it was. */
function stopper(outer: AbortSignal | undefined, timeout: number | undefined) {
  const controller = new AbortController();
  const state = {
    why: undefined as 'full' | 'late' | 'cancelled' | undefined,
    signal: controller.signal,
    full: () => stop('full'),
    dispose: () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', cancel);
    },
  };
  const stop = (why: 'full' | 'late' | 'cancelled') => {
    state.why ??= why;
    controller.abort();
  };
  const cancel = () => stop('cancelled');
  const timer = timeout === undefined ? undefined : setTimeout(() => stop('late'), timeout);
  if (outer?.aborted) cancel();
  outer?.addEventListener('abort', cancel, { once: true });
  return state;
}

/** The person's environment without what steers git, editors and pagers; their git configuration files still count. */
function environment(at: GitAt): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [key, value] of Object.entries(process.env)) {
    if (value !== undefined && !steersGit(key)) env[key] = value;
  }
  env['LC_ALL'] = 'C';
  env['GIT_TERMINAL_PROMPT'] = '0';
  env['GIT_OPTIONAL_LOCKS'] = '0';
  if (at.gitDir !== undefined) Object.assign(env, { GIT_DIR: at.gitDir, GIT_WORK_TREE: at.folder });
  return env;
}

function steersGit(key: string): boolean {
  const name = key.toUpperCase();
  return name.startsWith('GIT') || ['EDITOR', 'VISUAL', 'PAGER', 'PREFIX', 'SSH_ASKPASS'].includes(name);
}
