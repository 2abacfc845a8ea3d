/**
 * Services on the host's own network: they listen on ports of this machine, where every other process can be met. Runs that
 * start one take turns, and what an engine that died left behind is ended; anybody else's process is named and left alone.
 */
import { join } from 'node:path';
import type { Finished, Job } from '../../engine/work/job.ts';
import { isExternal } from '../../engine/services/service-words.ts';
import { stateFolder } from '../state-folder.ts';
import { endIfOurs, holderOf, holderWords } from './port-holder.ts';
import type { RunnerOptions } from './options.ts';
import { portOf } from './service-starts.ts';

type Options = Pick<RunnerOptions, 'network' | 'records'>;

/** It asks for the machine's network, and the person allowed it. */
export function sharesNetwork({ network }: Options, job: Job): boolean {
  return job.network && network !== 'none';
}

/** Its services listen on ports of this machine. */
export function sharesPorts(options: Options, job: Job): boolean {
  return sharesNetwork(options, job) && (job.services ?? []).some((s) => !isExternal(s));
}

/** Where sandboxes are written down that may hold ports. */
export function recordsOf({ records }: Options): string {
  return records ?? join(stateFolder(), 'sandboxes');
}

let tail: Promise<unknown> = Promise.resolve();

interface Turn {
  /** Whoever talks with it was given its streams: it cannot be begun anew. */
  isTalkedWith: boolean;
  once: () => Promise<Finished>;
}

/** Two checks that start the same service would find its port taken by each other. */
export function takingTurns(options: Options, job: Job, turn: Turn): Promise<Finished> {
  const result = tail.then(() => withoutHolder(options, job, turn));
  tail = result.catch(() => undefined);
  return result;
}

/** Where a service's port is held: by our own sandbox of an engine that died, which is ended, or by somebody, who is named. */
async function withoutHolder(options: Options, job: Job, { once, isTalkedWith }: Turn): Promise<Finished> {
  const done = await once();
  const { dead } = done;
  const service = job.services?.find((s) => s.name === dead?.name);
  const port = service && portOf(service, 0);
  const pid = port ? holderOf(port) : undefined;
  if (!dead || pid === undefined) return done;
  const holder = holderWords(pid);
  if (!(await endIfOurs(recordsOf(options), pid))) return { ...done, dead: { ...dead, holder } };
  if (!isTalkedWith) return once();
  return { ...done, dead: { ...dead, holder: `${holder}, which Loop left behind and has ended now: open it again` } };
}
