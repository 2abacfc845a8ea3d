/**
 * One call of git, hardened against programs that a repository can make git run (I10). It uses simple-git, with one instance for
 * each call, because index, input and limits differ.
 */
import { simpleGit, type SimpleGitOptions } from 'simple-git';

/** Plain data, because a call may go to the launcher's process (docs/decisions/0024). */
export interface GitCall {
  /** Fixed by Loop; paths come after `--`. */
  args: string[];
  folder: string;
  /** Without it git looks for the repository itself. */
  gitDir?: string | undefined;
  /** File that replaces the person's `core.excludesFile`. */
  excludes?: string | undefined;
  /** Standard input; never empty. */
  input?: string | undefined;
  /** Further `key=value` settings. */
  config?: string[] | undefined;
  /** Stops git after this many bytes of output; the output so far is the result. */
  maxBytes?: number | undefined;
  /** Milliseconds after which git is stopped. */
  timeout?: number | undefined;
  /** It ends by itself, even where its engine ends before: half of it would be worse. */
  whole?: boolean | undefined;
}

export interface GitOutcome {
  output: string;
  /** Below 0 when git could not be started. */
  exit: number;
  stderr: string;
  /** Why Loop stopped it: too much output, timeout, or a stop. */
  stopped?: 'full' | 'late' | 'cancelled' | undefined;
}

export type CallGit = (call: GitCall, signal?: AbortSignal) => Promise<GitOutcome>;

/** Overrides settings of a repository that make git run a program, sign, write or ask, or refuse what Loop gives it. */
const hardened = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.pager=cat',
  'core.trustctime=true',
  'core.checkStat=default',
  'core.ignoreStat=false',
  'core.safecrlf=false',
  'core.quotePath=false',
  'commit.gpgsign=false',
  'tag.gpgsign=false',
  'log.showSignature=false',
  'merge.verifySignatures=false',
  'merge.ff=true',
  'safe.bareRepository=explicit',
  'submodule.recurse=false',
  'status.submoduleSummary=false',
  'diff.ignoreSubmodules=all',
  'diff.context=3',
  'fetch.recurseSubmodules=false',
  'worktree.useRelativePaths=false',
  'rerere.enabled=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'trailer.separators=:',
  'color.ui=false',
  'advice.detachedHead=false',
];

/** simple-git refuses some of these keys, because it does not know that the values are harmless. */
const overridden = { allowUnsafeFsMonitor: true, allowUnsafeHooksPath: true, allowUnsafePager: true };

/** Calls git in this process. */
export const callGit: CallGit = async (call, signal) => {
  const stop = createStopper(signal, call.timeout);
  const ended = { exit: 0, stderr: '' };
  const env = environment(call);
  const settings: Partial<SimpleGitOptions> = {
    baseDir: call.folder,
    config: [...hardened, ...(call.excludes === undefined ? [] : [`core.excludesFile=${call.excludes}`]), ...(call.config ?? [])],
    unsafe: overridden,
    allowEnvironment: Object.keys(env).filter((key) => key.startsWith('GIT_')),
    completion: { onClose: true, onExit: false },
    abort: stop.signal,
    // simple-git would wrap a returned error in its own, so the status is kept here instead.
    errors: (_error, result) => {
      ended.exit = result.exitCode;
      ended.stderr = Buffer.concat(result.stdErr).toString('utf8');
      return undefined;
    },
  };
  if (call.input !== undefined) settings.input = () => call.input;
  const kept = new KeptOutput(call.maxBytes ?? Infinity, stop.full);
  try {
    const output = await simpleGit(settings).env(env).outputHandler(kept.listen).raw(call.args);
    return stop.why === undefined ? { output, ...ended } : { output: kept.text(), ...ended, stopped: stop.why };
  } catch (error) {
    if (stop.why === undefined) throw error;
    return { output: kept.text(), ...ended, stopped: stop.why };
  } finally {
    stop.dispose();
  }
};

/** Keeps the output up to a limit. */
class KeptOutput {
  private readonly chunks: Buffer[] = [];
  private bytes = 0;
  constructor(
    private readonly limit: number,
    private readonly full: () => void,
  ) {}
  readonly listen = (_command: string, stdout: NodeJS.ReadableStream): void => {
    // simple-git waits 50 ms more for a command that prints nothing (measured: 55 ms instead of 3); this event avoids that.
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

/** One abort signal for the three ways to stop git. `why` is the first of them that happened. */
function createStopper(outer: AbortSignal | undefined, timeout: number | undefined) {
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

/** The person's environment without variables that control git, its language, editors and pagers; their git configuration files still count. */
function environment({ folder, gitDir }: GitCall): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [key, value] of Object.entries(process.env)) {
    if (value !== undefined && !steersGit(key)) env[key] = value;
  }
  // Messages are English, since Loop reads some; a search takes a letter of any language for one character.
  env['LANG'] = 'C';
  env['LC_CTYPE'] = process.platform === 'darwin' ? 'UTF-8' : 'C.UTF-8';
  env['GIT_TERMINAL_PROMPT'] = '0';
  env['GIT_OPTIONAL_LOCKS'] = '0';
  if (gitDir !== undefined) Object.assign(env, { GIT_DIR: gitDir, GIT_WORK_TREE: folder });
  return env;
}

/** `GIT_LFS_SKIP_SMUDGE` only keeps git-lfs from fetching. */
function steersGit(key: string): boolean {
  const name = key.toUpperCase();
  if (name === 'GIT_LFS_SKIP_SMUDGE') return false;
  return name.startsWith('GIT') || name.startsWith('LC_') || ['EDITOR', 'VISUAL', 'PAGER', 'PREFIX', 'SSH_ASKPASS'].includes(name);
}
