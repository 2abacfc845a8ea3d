/** Runs one command or verification in a sandbox of its own and leaves no process behind. Without a sandbox nothing runs. */
import { statSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { InputError } from '../../engine/ground/errors.ts';
import type { AbortSignal, Runner } from '../../engine/ports.ts';
import type { Finished, Job, Place } from '../../engine/work/job.ts';
import { redact } from '../../engine/ground/redact.ts';
import { withoutColours } from '../../engine/ground/text.ts';
import type { HostJob } from '../egress/open-egress.ts';
import { createVariables } from '../variables.ts';
import { commandLine, hidesGit, type Setup } from './command-line.ts';
import { tellsWaiting } from './given-time.ts';
import { inspectHost } from './layout.ts';
import { defaultLimits, describeExcess, describeTimeout } from './limits.ts';
import type { RunnerOptions } from './options.ts';
import { keepsPackages, keptFolder } from './kept-packages.ts';
import { packageFolder } from './package-cache.ts';
import { openPipe } from './pipe.ts';
import { realPath } from './places.ts';
import { withPorts } from './port.ts';
import { killedForMemory, pressure } from './pressure.ts';
import { findSandbox, type SandboxPrograms } from './programs.ts';
import { readReached } from './reach.ts';
import { readReports, withReports } from './reports.ts';
import { portVariables, readStartup } from './service-starts.ts';
import { sharesNetwork, sharesPorts, takingTurns } from './shared-ports.ts';
import { supervise, type Outcome } from './supervise.ts';
import { Views, type View } from './view.ts';

/** The streams of a command that the caller talks to while it runs. */
export interface Conversation {
  stdin: Writable;
  /** Standard output and standard error in one stream. */
  output: Readable;
  /** The folder that it runs in. */
  root: string;
  /** The variables that name its free ports. */
  ports: Readonly<Record<string, string>>;
}

/** The engine's runner, which can also hand out a command's streams. `begin` is called once, when the sandbox is started. */
export interface TalkingRunner extends Runner {
  run(job: HostJob, signal: AbortSignal, begin?: (conversation: Conversation) => void): Promise<Finished>;
}

/**
 * A runner in this process. A command that fails is a result, not an error.
 * @throws InputError from `run` when the tree is missing or no sandbox can be made.
 */
export function createRunner(options: RunnerOptions): TalkingRunner {
  const setup: Setup = {
    options,
    host: inspectHost(options.env ?? process.env, options.gitCommonDir),
    limits: { ...defaultLimits(), ...options.limits },
    variables: options.variables ?? createVariables([], {}),
  };
  const clean = cleaner(setup);
  const known = new Map<string, SandboxPrograms>();
  const views = new Map<string, Views>();
  return {
    pressure,
    async run(job, signal, begin) {
      const from = performance.now();
      const since = () => Math.round(performance.now() - from);
      if (signal.aborted) return { exit: null, timedOut: false, duration: since(), output: '', dropped: 0 };
      const root = rootOf(options, job.at);
      const victims = killedForMemory();
      const programs = known.get(root) ?? (await findSandbox([root]));
      known.set(root, programs);
      const viewsOf = (folder: string, shown: { hidesGit: boolean; beside?: string | undefined }): Views => {
        const key = JSON.stringify([folder, shown]);
        const found = views.get(key) ?? new Views(options, folder, programs, shown);
        views.set(key, found);
        return found;
      };
      const beside = options.packages !== undefined && keepsPackages(root) ? keptFolder(root) : undefined;
      const cache = job.packages === 'use' ? packageFolder(options, job) : undefined;
      const inFolders = (use: (reports: string, seen: { view?: View; packages?: View }) => Promise<Finished>): Promise<Finished> =>
        withReports((reports) => {
          if (job.view) return viewsOf(root, { hidesGit: hidesGit(job), beside }).lend(signal, (view) => use(reports, { view }));
          if (cache === undefined) return use(reports, {});
          return viewsOf(cache, { hidesGit: false }).lend(signal, (packages) => use(reports, { packages }));
        });
      const once = () =>
        inFolders((reports, seen) =>
          withPorts(Math.max(1, job.services?.length ?? 0), sharesNetwork(options, job), async (ports): Promise<Finished> => {
            const attempt = async () => {
              // Before the pipe is opened, because nobody would close that if this throws.
              const launch = commandLine(setup, { job, root, ports, reports, ...seen }, programs);
              const pipe = await openPipe(programs.mkfifo);
              const talk = begin && {
                input: (stdin: Writable) => begin({ stdin, output: pipe.reader, root, ports: portVariables(job.services, ports) }),
              };
              return supervise({ ...launch, ...talk }, pipe, setup.limits, signal);
            };
            // With `begin`, the caller already has the streams, so it cannot be started again.
            const outcome = await (begin ? attempt() : retryUntilStarted(attempt));
            const ended = finished(outcome, setup, { job, duration: since(), victims: killedForMemory() - victims });
            const reached = job.reach ? { reached: readReached(reports, root) } : {};
            const done = { ...ended, root, reports: readReports(reports).map(clean), ...reached };
            return withServiceResult(job, done, outcome.reports, clean);
          }),
        );
      return sharesPorts(options, job) ? takingTurns(options, job, { once, isInteractive: begin !== undefined }) : once();
    },
  };
}

/** Without colours, which would hide words that are looked for, and without secrets. */
function cleaner({ variables }: Pick<Setup, 'variables'>): (text: string) => string {
  return (text) => redact(variables.veil(withoutColours(text)));
}

function rootOf(options: RunnerOptions, at: Place): string {
  const path = at === 'worktree' ? options.worktree : at.scratch;
  const root = realPath(path);
  if (root !== undefined && statSync(root).isDirectory()) return root;
  throw new InputError(`There is no folder ${path} to run a command in.`, 'Start the sprint again: its worktree is made anew.');
}

const maxAttempts = 3;

/** A path that is to be covered, such as another program's socket, may disappear before the mount; then everything is looked up again. */
async function retryUntilStarted(attempt: () => Promise<Outcome>): Promise<Outcome> {
  for (let left = maxAttempts - 1; ; left -= 1) {
    const outcome = await attempt();
    if (outcome.started || left === 0) return outcome;
  }
}

/** Adds the services' logs. If a dead service kept the program from beginning, there is no exit status. */
function withServiceResult({ services = [] }: Job, done: Finished, reports: string, clean: (text: string) => string): Finished {
  if (services.length === 0) return done;
  const { began, dead, logs } = readStartup(reports, services, done.timedOut);
  const redacted = Object.fromEntries(Object.entries(logs).map(([name, log]) => [name, clean(log)]));
  if (began || !dead) return { ...done, logs: redacted };
  return { ...done, exit: null, timedOut: false, dead, logs: redacted };
}

/** @param victims processes that the kernel killed on this machine meanwhile, because memory was short. */
function finished(
  outcome: Outcome,
  { limits, variables }: Setup,
  { job, duration, victims }: { job: Job; duration: number; victims: number },
): Finished {
  const { text, dropped } = outcome.output.take();
  if (!outcome.started)
    throw new InputError(
      `The sandbox could not be made: ${text.trim()}`,
      'Read this message; on Debian, "apt install bubblewrap" installs bubblewrap.',
    );
  const { killed, exit } = outcome;
  const excess = killed === 'timeout' || killed === 'aborted' ? undefined : killed;
  const isHung = killed === 'timeout' && hasHung(job, outcome.idle, limits.late);
  const ranOut = killed === 'timeout' ? describeTimeout(outcome.still, isHung ? Math.round(outcome.idle / 1000) : undefined) : '';
  const line = excess === undefined ? ranOut : describeExcess(excess, limits);
  const clean = cleaner({ variables });
  const note = line === '' ? '' : `\n${clean(line)}\n`;
  const stopped = excess ?? (killed === undefined && wasStruck(exit, victims) ? 'signal' : undefined);
  return {
    exit,
    timedOut: killed === 'timeout',
    ...(isHung ? { hung: true as const } : {}),
    ...(stopped === undefined ? {} : { stopped }),
    duration,
    ...(tellsWaiting() ? { given: Math.min(Math.round(outcome.given), duration) } : {}),
    output: clean(text) + note,
    dropped,
  };
}

/** It waits for what does not come, unless that is outside of the sandbox: then the machine may be late with it. */
function hasHung({ timeout, services = [] }: Job, idle: number, late: number): boolean {
  return services.every(({ start }) => !('compose' in start)) && idle >= Math.max(late, (timeout * 1000) / 2);
}

/** The exit status of a shell whose program was killed by SIGKILL. */
const killedStatus = 128 + 9;

/** Whether something else than Loop may have killed it, or a part of it. */
function wasStruck(exit: number | null, victims: number): boolean {
  return exit === null || exit === killedStatus || (exit !== 0 && victims > 0);
}
