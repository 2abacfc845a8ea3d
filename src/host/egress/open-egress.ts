import type { Job } from '../../engine/work/job.ts';
import type { MachineRegistries } from '../registries/machine-registries.ts';

/** The ways out of one run, as plain data. */
export interface OpenEgress {
  /** Holds the sockets: one for the proxy, and one for each loopback port, named by it. */
  folder: string;
  ports: readonly number[];
  /** The person's configuration without credentials: texts by their place below the home. */
  files: MachineRegistries['files'];
  /** Files that are hidden, because they may hold credentials. */
  hidden: readonly string[];
  /** Files that are shown: certificates that the configuration names. */
  shown: readonly string[];
}

/** The name of the proxy's socket. */
export const proxySocket = 'proxy';

/** A job with its way to the registries, if it has one. */
export type HostJob = Job & { egress?: OpenEgress };
