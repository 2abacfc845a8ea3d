/** The one command line that a job becomes: what is mounted, the environment, the limits, the interpreter (design §8.3). */
import type { Job } from '../../engine/work/job.ts';
import type { Variables } from '../variables.ts';
import { bubblewrapOptions, type Mount } from './bubblewrap.ts';
import { environmentOf } from './environment.ts';
import { layOut, VERIFICATIONS_DIR, type Host } from './layout.ts';
import { limited, type Limits } from './limits.ts';
import { realPath } from './places.ts';
import type { SandboxPrograms } from './programs.ts';
import { programOf } from './program.ts';
import { REPORTS_DIR, reportsEnv } from './reports.ts';
import type { RunnerOptions } from './options.ts';
import { withServices } from './service-starts.ts';
import { recordsOf, sharesNetwork, sharesPorts } from './shared-ports.ts';
import type { Launch } from './supervise.ts';

/** What stays the same from run to run. */
export interface Setup {
  options: RunnerOptions;
  host: Host;
  limits: Limits;
  /** What the person named for commands. */
  variables: Variables;
}

/** One run: the job, the canonical root of its tree, its free port. */
export interface Errand {
  job: Job;
  root: string;
  port: number;
  /** Folder of the host for the reports of this run. */
  reports: string;
}

export function commandLine(
  { options, host, limits, variables }: Setup,
  { job, root, port, reports }: Errand,
  programs: SandboxPrograms,
): Launch {
  const plain = programOf(job.run, root);
  const supervised = job.services?.length ? withServices(plain, job.services, port) : undefined;
  const program = supervised ?? plain;
  const network = sharesNetwork(options, job);
  const settings = { port, network, extra: { ...program.env, ...extraEnv(options, job) } };
  const sandbox = bubblewrapOptions({
    secrets: variables.values,
    mounts: [
      ...layOut(host, treeOf(options, job, root, network)),
      ...program.mounts,
      ...verifications(options),
      ...reportsMount(job, reports),
    ],
    cwd: root,
    env: environmentOf(host, options.env ?? process.env, settings),
    network,
    ...(programs.limitsFolders ? { freshBytes: limits.temporary } : {}),
  });
  const argv = limited(program.argv, limits);
  const records = sharesPorts(options, job) ? { records: recordsOf(options) } : {};
  const startup = supervised && { startup: supervised.startup, ...records };
  return {
    bubblewrap: programs.bubblewrap,
    ...sandbox,
    argv,
    writable: { tree: root, reports },
    timeout: job.timeout,
    ...startup,
  };
}

function treeOf({ gitCommonDir, hidden = [] }: RunnerOptions, job: Job, root: string, network: boolean) {
  return { root, writable: job.readonly !== true, gitCommonDir, hidesGit: isVerification(job), hidden, network };
}

function verifications(options: RunnerOptions): Mount[] {
  const from = realPath(options.verificationsDir ?? '');
  return from === undefined ? [] : [{ kind: 'read', path: VERIFICATIONS_DIR, from }];
}

function reportsMount(job: Job, from: string): Mount[] {
  return isVerification(job) ? [{ kind: 'write', path: REPORTS_DIR, from }] : [];
}

function extraEnv(options: RunnerOptions, job: Job): Record<string, string> {
  return {
    ...(options.verificationsDir === undefined ? {} : { VERIFICATIONS_DIR }),
    ...(isVerification(job) ? reportsEnv : {}),
  };
}

function isVerification({ run }: Job): boolean {
  return 'script' in run;
}
