/**
 * Runs one command or verification in a sandbox of its own and leaves no process behind (design §8.3, T1–T5, T9). Fails
 * closed: where no sandbox can be made, nothing is run.
 */
import { statSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { InputError } from '../../engine/ground/errors.ts';
import type { AbortSignal, Runner } from '../../engine/ports.ts';
import type { Finished, Job, Place } from '../../engine/work/job.ts';
import { redact } from '../../engine/ground/redact.ts';
import { createVariables } from '../variables.ts';
import { commandLine, type Setup } from './command-line.ts';
import { inspectHost } from './layout.ts';
import { defaultLimits, describeExcess } from './limits.ts';
import type { RunnerOptions } from './options.ts';
import { openPipe } from './pipe.ts';
import { realPath } from './places.ts';
import { withPort } from './port.ts';
import { findSandbox, type SandboxPrograms } from './programs.ts';
import { readReports, withReports } from './reports.ts';
import { readStartup } from './service-starts.ts';
import { sharesNetwork, sharesPorts, takingTurns } from './shared-ports.ts';
import { supervise, type Outcome } from './supervise.ts';

/** A command that is talked with while it runs. */
export interface Conversation {
  /** What it reads. */
  stdin: Writable;
  /** What it writes, both streams as one. */
  output: Readable;
  /** The folder that it runs in, and the free port that it was given. */
  root: string;
  port: number;
}

/** The engine's runner, which can also be talked with. `begin` is called once, when the sandbox was started. */
export interface TalkingRunner extends Runner {
  run(job: Job, signal: AbortSignal, begin?: (conversation: Conversation) => void): Promise<Finished>;
}

/** In this process. Throws InputError when a job's tree is missing or no sandbox can be made for it; a command's failure is a result. */
export function createRunner(options: RunnerOptions): TalkingRunner {
  const setup: Setup = {
    options,
    host: inspectHost(options.env ?? process.env),
    limits: { ...defaultLimits(), ...options.limits },
    variables: options.variables ?? createVariables([], {}),
  };
  const clean = (text: string): string => redact(setup.variables.veil(text));
  const known = new Map<string, SandboxPrograms>();
  return {
    async run(job, signal, begin) {
      const from = performance.now();
      const since = () => Math.round(performance.now() - from);
      if (signal.aborted) return { exit: null, timedOut: false, duration: since(), output: '', dropped: 0 };
      const root = rootOf(options, job.at);
      const programs = known.get(root) ?? (await findSandbox([root]));
      known.set(root, programs);
      const once = () =>
        withReports((reports) =>
          withPort(sharesNetwork(options, job), async (port): Promise<Finished> => {
            const attempt = async () => {
              // Before the pipe, which nobody would close where this is refused.
              const launch = commandLine(setup, { job, root, port, reports }, programs);
              const pipe = await openPipe(programs.mkfifo);
              const talk = begin && { input: (stdin: Writable) => begin({ stdin, output: pipe.reader, root, port }) };
              return supervise({ ...launch, ...talk }, pipe, setup.limits, signal);
            };
            // Who talks with it was given its streams already: that one is not begun anew.
            const outcome = await (begin ? attempt() : begun(attempt));
            const done = { ...finished(outcome, setup, since()), root, reports: readReports(reports).map(clean) };
            return judged(job, done, { reports: outcome.reports, clean });
          }),
        );
      return sharesPorts(options, job) ? takingTurns(options, job, { once, isTalkedWith: begin !== undefined }) : once();
    },
  };
}

function rootOf(options: RunnerOptions, at: Place): string {
  const path = at === 'worktree' ? options.worktree : at.scratch;
  const root = realPath(path);
  if (root !== undefined && statSync(root).isDirectory()) return root;
  throw new InputError(`There is no folder ${path} to run a command in.`, 'Start the sprint again: its worktree is made anew.');
}

const TRIES = 3;

/** What is to be covered, such as a socket of another program, may go before it is: where nothing began, all is looked up anew. */
async function begun(attempt: () => Promise<Outcome>): Promise<Outcome> {
  for (let left = TRIES - 1; ; left -= 1) {
    const outcome = await attempt();
    if (outcome.started || left === 0) return outcome;
  }
}

/** The program's own end, or the service that kept it from beginning: then it has none. */
function judged(
  { services = [] }: Job,
  done: Finished,
  { reports, clean }: { reports: string; clean: (text: string) => string },
): Finished {
  if (services.length === 0) return done;
  const { began, dead, logs } = readStartup(reports, services, done.timedOut);
  const redacted = Object.fromEntries(Object.entries(logs).map(([name, log]) => [name, clean(log)]));
  if (began || !dead) return { ...done, logs: redacted };
  return { ...done, exit: null, timedOut: false, dead, logs: redacted };
}

function finished(outcome: Outcome, { limits, variables }: Setup, duration: number): Finished {
  const { text, dropped } = outcome.output.take();
  if (!outcome.started)
    throw new InputError(
      `The sandbox could not be made: ${text.trim()}`,
      'Look at what it says; on Debian, bubblewrap is installed by "apt install bubblewrap".',
    );
  const excess = outcome.killed === 'timeout' || outcome.killed === 'aborted' ? undefined : outcome.killed;
  const note = excess === undefined ? '' : `\n${describeExcess(excess, limits)}\n`;
  return {
    exit: outcome.exit,
    timedOut: outcome.killed === 'timeout',
    duration,
    output: redact(variables.veil(text)) + note,
    dropped,
  };
}
