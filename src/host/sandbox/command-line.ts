/** Turns a job into the command line of its sandbox: mounts, environment, limits and interpreter. */
import type { Job } from '../../engine/work/job.ts';
import type { HostJob } from '../egress/open-egress.ts';
import type { Variables } from '../variables.ts';
import { bubblewrapOptions, type Mount } from './bubblewrap.ts';
import { environmentOf } from './environment.ts';
import { layOut, verificationsMountDir, type Host, type TreeLayout } from './layout.ts';
import { limited, type Limits } from './limits.ts';
import { realPath } from './places.ts';
import type { SandboxPrograms } from './programs.ts';
import { packageFolder, packageMounts, packageVariables } from './package-cache.ts';
import { programOf } from './program.ts';
import { reportsDir, reportsEnv } from './reports.ts';
import type { RunnerOptions } from './options.ts';
import { withServices } from './service-starts.ts';
import { throughProxy } from './through-proxy.ts';
import { recordsOf, sharesNetwork, sharesPorts } from './shared-ports.ts';
import type { Launch } from './supervise.ts';
import type { View } from './view.ts';

/** The part of a command line that is the same for all runs. */
export interface Setup {
  options: RunnerOptions;
  host: Host;
  limits: Limits;
  /** Variables that the person named for commands. */
  variables: Variables;
}

export interface RunSpec {
  job: HostJob;
  /** The canonical root of the tree. */
  root: string;
  /** A free TCP port. */
  port: number;
  /** Folder of the host for the reports of this run. */
  reports: string;
  /** The view that it runs in; left out where it runs in the tree itself. */
  view?: View | undefined;
  /** The view of the package cache that an install gets. */
  packages?: View | undefined;
}

export function commandLine(
  { options, host, limits, variables }: Setup,
  { job, root, port, reports, view, packages }: RunSpec,
  programs: SandboxPrograms,
): Launch {
  const plain = programOf(job.run, root);
  const supervised = job.services?.length ? withServices(plain, job.services, port) : undefined;
  const program = throughProxy(supervised ?? plain, job.egress);
  const network = sharesNetwork(options, job);
  const cache = packageFolder(options, job);
  const extra = { ...program.env, ...extraEnv(options, job), ...packageVariables(cache, job) };
  const enter = view?.enter ?? packages?.enter;
  const settings = { port, root, network, proxied: job.egress !== undefined, extra };
  const sandbox = bubblewrapOptions({
    secrets: variables.values,
    mounts: [
      ...layOut(host, treeOf(options, job, { root, view, network })),
      ...program.mounts,
      ...verificationsMount(options),
      ...reportsMount(job, reports),
      ...packageMounts(cache, packages),
    ],
    cwd: root,
    env: environmentOf(host, options.env ?? process.env, settings),
    network,
    ...(enter ? { identity: ownIdentity() } : {}),
    ...(programs.limitsFolders ? { freshBytes: limits.temporary } : {}),
  });
  const argv = limited(program.argv, limits);
  const records = sharesPorts(options, job) ? { records: recordsOf(options) } : {};
  const startup = supervised && { startup: supervised.startup, ...records };
  return {
    bubblewrap: [...(enter ?? []), programs.bubblewrap],
    ...sandbox,
    argv,
    writable: { disk: view?.path ?? root, reports },
    timeout: job.timeout,
    ...startup,
  };
}

/** Where a view is mounted, this process's own user counts as root. */
function ownIdentity(): { uid: number; gid: number } {
  return { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
}

function treeOf(
  options: RunnerOptions,
  job: Job,
  { root, view, network }: { root: string; view: View | undefined; network: boolean },
): TreeLayout {
  const { gitCommonDir, views, hidden = [] } = options;
  const access = view ? 'view' : job.readonly === true ? 'read' : 'write';
  const from = view?.copy === undefined ? {} : { from: view.copy };
  return { root, access, ...from, gitCommonDir, hidesGit: job.view === true, hidden, views, network };
}

function verificationsMount(options: RunnerOptions): Mount[] {
  const from = realPath(options.verificationsDir ?? '');
  return from === undefined ? [] : [{ kind: 'read', path: verificationsMountDir, from }];
}

function reportsMount(job: Job, from: string): Mount[] {
  return job.view ? [{ kind: 'write', path: reportsDir, from }] : [];
}

function extraEnv(options: RunnerOptions, job: Job): Record<string, string> {
  return {
    ...(options.verificationsDir === undefined ? {} : { VERIFICATIONS_DIR: verificationsMountDir }),
    ...(job.view ? reportsEnv : {}),
  };
}
