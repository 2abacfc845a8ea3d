/** A pull request for a branch that *Finish* kept, by the Git host's own command line, which has the person's login. */
import { execFile } from 'node:child_process';
import { InputError, Interruption } from '../engine/ground/errors.ts';
import { squashMessage } from '../engine/render/squash-message.ts';
import { openGit } from './git/git.ts';
import { inspectRepository } from './git/inspect.ts';
import { readSprint } from './sprint.ts';

export type HostProgram = 'gh' | 'glab';

const remote = 'origin';
const noSuchRemote = 2;

/** The program that would open it; null without such a program, a remote, or a branch that the sprint started from. */
export async function pullRequestBy(sprintDir: string): Promise<HostProgram | null> {
  const state = await readSprint(sprintDir);
  if (!state?.opened.base.branch) return null;
  const { root, gitDir } = await inspectRepository(sprintDir);
  const url = await openGit({ folder: root, gitDir }).run(['remote', 'get-url', remote], { answers: [noSuchRemote] });
  if (url === '') return null;
  const program = /gitlab/i.test(url) ? 'glab' : 'gh';
  return (await outcomeOf(program, ['--version'], { cwd: root, timeout: timeoutMs })).exit === 0 ? program : null;
}

/**
 * Pushes the branch and opens the request, with what is proven and what is not.
 * @returns its address. @throws InputError where that failed, Interruption where it was stopped: the branch stays kept.
 */
export async function openPullRequest(sprintDir: string, signal?: AbortSignal): Promise<string> {
  const state = await readSprint(sprintDir);
  const program = await pullRequestBy(sprintDir);
  const into = state?.opened.base.branch;
  if (!state || !program || !into)
    throw new InputError(
      'No pull request can be opened here.',
      'It needs a remote "origin", and gh or glab, which you install and log in.',
    );
  const { root } = await inspectRepository(sprintDir);
  const { branch } = state.opened;
  const [title = '', ...body] = squashMessage(state).split('\n');
  const request = { branch, into, title, body: body.join('\n').trim() };
  const succeed = async (name: string, args: readonly string[], timeout?: number): Promise<string> => {
    const { exit, out, err } = await outcomeOf(name, args, { cwd: root, timeout, signal });
    if (exit === 0) return out;
    if (signal?.aborted) throw new Interruption('cancelled', `Stopped. The branch ${branch} is kept, and no pull request was opened.`);
    throw new InputError(
      `The branch ${branch} is kept, but no pull request was opened: ${lastOf(err) || `${name} ended with ${exit}`}.`,
      `Mend that, then run: git push ${remote} ${branch}, and ${program} ${program === 'gh' ? 'pr' : 'mr'} create.`,
    );
  };
  // It takes as long as the person's hooks and network do: "loop guard" runs whole verifications before it.
  await succeed('git', ['push', '--set-upstream', remote, branch]);
  const out = await succeed(program, argsOf[program](request), timeoutMs);
  return /https?:\/\/\S+/.exec(out)?.[0] ?? out.trim();
}

/** What hooks print comes before the reason. */
function lastOf(err: string): string {
  const text = err.trim();
  return text.length <= 500 ? text : `…${text.slice(-500)}`;
}

interface Request {
  branch: string;
  into: string;
  title: string;
  body: string;
}

const argsOf: Record<HostProgram, (request: Request) => string[]> = {
  gh: ({ branch, into, title, body }) => ['pr', 'create', '--head', branch, '--base', into, '--title', title, '--body', body],
  glab: ({ branch, into, title, body }) => {
    const what = ['--source-branch', branch, '--target-branch', into, '--title', title, '--description', body];
    return ['mr', 'create', '--yes', ...what];
  },
};

const timeoutMs = 120_000;

interface Around {
  cwd: string;
  timeout?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** Neither may ask: nobody would see it. A hook may print as much as it likes: Node.js would kill the push. */
function outcomeOf(program: string, args: readonly string[], around: Around): Promise<{ exit: number; out: string; err: string }> {
  const env = { ...process.env, GIT_TERMINAL_PROMPT: '0', GH_PROMPT_DISABLED: '1', NO_PROMPT: '1' };
  return new Promise((resolve) => {
    execFile(program, args, { ...around, env, maxBuffer: Infinity, windowsHide: true }, (error, out, err) => {
      const exit = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
      resolve({ exit, out, err: err || (error?.message ?? '') });
    });
  });
}
