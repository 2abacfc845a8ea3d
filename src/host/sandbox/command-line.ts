/** Turns a job into the command line of its sandbox: mounts, environment, limits and interpreter. */
import { join } from 'node:path';
import { usualSeed } from '../../engine/ground/seed.ts';
import type { Job } from '../../engine/work/job.ts';
import type { HostJob } from '../egress/open-egress.ts';
import type { Variables } from '../variables.ts';
import { insideUser } from './accounts.ts';
import { bubblewrapOptions, type Mount } from './bubblewrap.ts';
import { environmentOf } from './environment.ts';
import { guiseOf, textOf } from './guise.ts';
import { browserMounts, toolsDir } from './browser-command.ts';
import { layOut, type Host, type TreeLayout } from './layout.ts';
import { limited, type Limits } from './limits.ts';
import type { SandboxPrograms } from './programs.ts';
import { seenPackages, writtenPackages } from './kept-packages.ts';
import { packageFolder, packageMounts, packageVariables } from './package-cache.ts';
import { programOf } from './program.ts';
import { lastReach, reachEnv, reachMounts } from './reach.ts';
import type { RunnerOptions } from './options.ts';
import { portVariables, withServices } from './service-starts.ts';
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
  /** Free TCP ports: one, and where there are services, as many as these. */
  ports: readonly number[];
  /** Folder of the host for the reports of this run. */
  reports: string;
  /** The view that it runs in; left out where it runs in the tree itself. */
  view?: View | undefined;
  /** The view of the package cache that an install gets. */
  packages?: View | undefined;
}

export function commandLine(
  { options, host, limits, variables }: Setup,
  { job, root, ports, reports, view, packages }: RunSpec,
  programs: SandboxPrograms,
): Launch {
  const guise = guiseOf(job);
  const plain = programOf(guise.run, root, host.toolchains);
  const supervised = job.services?.length ? withServices(plain, job.services, { ports, lingers: job.reach ? lastReach : 0 }) : undefined;
  const program = throughProxy(supervised ?? plain, job.egress);
  const network = sharesNetwork(options, job);
  const cache = packageFolder(options, job);
  const extra = { ...program.env, ...guise.env, ...(job.reach ? reachEnv : {}), ...packageVariables(cache, job) };
  const enter = view?.enter ?? packages?.enter;
  const seed = job.seed ?? usualSeed(textOf(job));
  const own = options.browser ? [toolsDir] : [];
  const settings = {
    ports: portVariables(job.services, ports),
    seed,
    root,
    programs: own,
    network,
    colours: job.colours === true,
    proxied: job.egress !== undefined,
    extra,
  };
  const sandbox = bubblewrapOptions({
    secrets: variables.values,
    mounts: [
      ...layOut(host, treeOf(options, job, { root, view, network })),
      ...program.mounts,
      { kind: 'folder', path: guise.data },
      { kind: 'write', path: guise.reports, from: reports },
      ...packageMounts(cache, packages),
      ...(options.packages === undefined ? [] : keptMounts(job, root, view)),
      ...(job.reach ? reachMounts(root) : []),
      ...(options.browser ? browserMounts(options.browser, { reach: job.reach === true, network: options.network === 'all' }) : []),
      ...filesInPlace(job, root),
      ...(options.shown ?? []),
    ],
    cwd: root,
    env: without(environmentOf(host, options.env ?? process.env, settings), guise.without),
    network,
    identity: insideUser(),
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
    ...(program.handed ? { handed: program.handed } : {}),
  };
}

function keptMounts({ readonly }: Job, root: string, view: View | undefined): Mount[] {
  return view || readonly ? seenPackages(root, view?.beside) : writtenPackages(root);
}

function without(env: Record<string, string>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));
}

/** Executable, since some of the work is, and others lose nothing by it. */
function filesInPlace({ files = {} }: Job, root: string): Mount[] {
  return Object.entries(files).map(([path, text]) => ({ kind: 'text', path: join(root, path), text, executable: true }));
}

/** Verifications judge the files, and git's history is no evidence. */
export function hidesGit({ view, alike }: Job): boolean {
  return view === true && alike !== true;
}

function treeOf(
  options: RunnerOptions,
  job: Job,
  { root, view, network }: { root: string; view: View | undefined; network: boolean },
): TreeLayout {
  const { gitCommonDir, views, hidden = [], fixed = [] } = options;
  const access = view ? 'view' : job.readonly === true ? 'read' : 'write';
  const from = view?.copy === undefined ? {} : { from: view.copy };
  return { root, access, ...from, gitCommonDir, hidesGit: hidesGit(job), fixed, hidden, views, network };
}
