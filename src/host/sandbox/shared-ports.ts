/**
 * Services on the host's own network listen on ports of this machine, which another process may hold. So runs that start one
 * take turns. A sandbox that a dead engine left behind is ended; any other process is named and left alone.
 */
import { join } from 'node:path';
import type { Finished, Job } from '../../engine/work/job.ts';
import { isExternal } from '../../engine/services/external.ts';
import { stateFolder } from '../state-folder.ts';
import { endIfOurs, holderOf, holderWords } from './port-holder.ts';
import type { RunnerOptions } from './options.ts';
import { portOf } from './service-starts.ts';

type Options = Pick<RunnerOptions, 'network' | 'records'>;

/** Whether the job asks for the machine's network and the person allowed it. */
export function sharesNetwork({ network }: Options, job: Job): boolean {
  return job.network && (network === 'installs' || network === 'all');
}

/** Whether the job's services listen on ports of this machine. */
export function sharesPorts(options: Options, job: Job): boolean {
  return sharesNetwork(options, job) && (job.services ?? []).some((s) => !isExternal(s));
}

/** The folder with records of sandboxes that may hold ports. */
export function recordsOf({ records }: Options): string {
  return records ?? join(stateFolder(), 'sandboxes');
}

let tail: Promise<unknown> = Promise.resolve();

interface Turn {
  /** The caller already has the streams of such a run, so it cannot be started again. */
  isInteractive: boolean;
  once: () => Promise<Finished>;
}

/** Runs one job at a time, because two that start the same service would take its port from each other. */
export function takingTurns(options: Options, job: Job, turn: Turn): Promise<Finished> {
  const result = tail.then(() => runAndFreePort(options, job, turn));
  tail = result.catch(() => undefined);
  return result;
}

/** If a service's port is held by a sandbox of a dead engine, ends that and runs once more; else names the holder in the result. */
async function runAndFreePort(options: Options, job: Job, { once, isInteractive }: Turn): Promise<Finished> {
  const done = await once();
  const { dead } = done;
  const service = job.services?.find((s) => s.name === dead?.name);
  const port = service && portOf(service, 0);
  const pid = port ? holderOf(port) : undefined;
  if (!dead || pid === undefined) return done;
  const holder = holderWords(pid);
  if (!(await endIfOurs(recordsOf(options), pid))) return { ...done, dead: { ...dead, holder } };
  if (!isInteractive) return once();
  return { ...done, dead: { ...dead, holder: `${holder}, which Loop left behind and has ended now: open it again` } };
}
