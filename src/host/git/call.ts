/**
 * One call of git, hardened against what a repository can make git run (I10, design §8.4). It runs on simple-git, one
 * instance a call, since index, input and limit differ by call.
 */
import { simpleGit, type SimpleGitOptions } from 'simple-git';

/** As plain data: git is called by the process that launches programs, too (docs/decisions/0024). */
export interface GitCall {
  /** Fixed by Loop; paths come after `--`. */
  args: string[];
  folder: string;
  /** Without it git looks for the repository itself. */
  gitDir?: string | undefined;
  /** File that takes the place of the person's `core.excludesFile`. */
  excludes?: string | undefined;
  /** Standard input; never empty. */
  input?: string | undefined;
  /** Further `key=value` settings. */
  config?: string[] | undefined;
  /** Stops git after this many bytes of output; what came until then is the output. */
  maxBytes?: number | undefined;
  /** Milliseconds after which git is stopped. */
  timeout?: number | undefined;
}

export interface GitOutcome {
  output: string;
  /** Below 0 when it could not be started. */
  exit: number;
  /** Standard error. */
  said: string;
  /** Why it was ended before it was through. */
  stopped?: 'full' | 'late' | 'cancelled' | undefined;
}

export type CallGit = (call: GitCall, signal?: AbortSignal) => Promise<GitOutcome>;

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

/** In this process. */
export const callGit: CallGit = async (call, signal) => {
  const stop = stopper(signal, call.timeout);
  const seen = { exit: 0, said: '' };
  const env = environment(call);
  const settings: Partial<SimpleGitOptions> = {
    baseDir: call.folder,
    config: [...hardened, ...(call.excludes === undefined ? [] : [`core.excludesFile=${call.excludes}`]), ...(call.config ?? [])],
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
  if (call.input !== undefined) settings.input = () => call.input;
  const kept = new Kept(call.maxBytes ?? Infinity, stop.full);
  try {
    const output = await simpleGit(settings).env(env).outputHandler(kept.listen).raw(call.args);
    return stop.why === undefined ? { output, ...seen } : { output: kept.text(), ...seen, stopped: stop.why };
  } catch (error) {
    if (stop.why === undefined) throw error;
    return { output: kept.text(), ...seen, stopped: stop.why };
  } finally {
    stop.dispose();
  }
};

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
    why: undefined as GitOutcome['stopped'],
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
function environment({ folder, gitDir }: GitCall): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [key, value] of Object.entries(process.env)) {
    if (value !== undefined && !steersGit(key)) env[key] = value;
  }
  env['LC_ALL'] = 'C';
  env['GIT_TERMINAL_PROMPT'] = '0';
  env['GIT_OPTIONAL_LOCKS'] = '0';
  if (gitDir !== undefined) Object.assign(env, { GIT_DIR: gitDir, GIT_WORK_TREE: folder });
  return env;
}

function steersGit(key: string): boolean {
  const name = key.toUpperCase();
  return name.startsWith('GIT') || ['EDITOR', 'VISUAL', 'PAGER', 'PREFIX', 'SSH_ASKPASS'].includes(name);
}
