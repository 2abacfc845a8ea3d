/** One call of git, hardened against programs that a repository can make git run (I10). */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';

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

/** Overrides settings of a repository that make git run a program, sign, write or ask. */
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

/** An exit status that no command of git has, for one that something else killed. */
const killed = 255;

/** Calls git in this process. @throws where its folder is not there. */
export const callGit: CallGit = (call, signal) =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return resolve({ output: '', exit: 0, stderr: '', stopped: 'cancelled' });
    const git = spawn('git', [...settingsOf(call), ...call.args], {
      cwd: call.folder,
      env: environment(call),
      stdio: [call.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    git.on('error', (error) => existsSync(call.folder) || reject(error));
    const stopper = createStopper(git, signal, call.timeout);
    const output = keep(git.stdout, call.maxBytes, () => stopper.stop('full'));
    const stderr = keep(git.stderr);
    // It comes after an error, too; then the status is below 0.
    git.once('close', (code) => {
      stopper.dispose();
      const { why } = stopper;
      const outcome = { output: output(), exit: code ?? killed, stderr: stderr() };
      resolve(why === undefined ? outcome : { ...outcome, stopped: why });
    });
    // Git may end before it has read everything.
    git.stdin?.on('error', () => undefined);
    git.stdin?.end(call.input);
  });

function settingsOf({ excludes, config = [] }: GitCall): string[] {
  const all = [...hardened, ...(excludes === undefined ? [] : [`core.excludesFile=${excludes}`]), ...config];
  return all.flatMap((setting) => ['-c', setting]);
}

/** Keeps what a stream gives, up to a limit. @returns what it gave so far. */
function keep(stream: Readable | null, limit = Infinity, full?: () => void): () => string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream?.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= limit) chunks.push(chunk);
    else full?.();
  });
  return () => Buffer.concat(chunks).toString('utf8');
}

/** The three ways to stop git, which removes its lock files then. `why` is the first of them that happened. */
function createStopper(git: ChildProcess, outer: AbortSignal | undefined, timeout: number | undefined) {
  const stop = (why: 'full' | 'late' | 'cancelled') => {
    stopper.why ??= why;
    git.kill('SIGINT');
  };
  const cancel = () => stop('cancelled');
  const timer = timeout === undefined ? undefined : setTimeout(() => stop('late'), timeout);
  outer?.addEventListener('abort', cancel, { once: true });
  const stopper = {
    why: undefined as GitOutcome['stopped'],
    stop,
    dispose: () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', cancel);
    },
  };
  return stopper;
}

/** The person's environment without variables that control git, editors and pagers; their git configuration files still count. */
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
