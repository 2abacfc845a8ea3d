/**
 * A service that verifications need: how it is started, how to tell that it is ready, and within how many seconds. Each
 * verification gets an instance of its own, in its own sandbox (docs/decisions/0010).
 */
import * as z from 'zod';
import { ref } from './ref.ts';
import type { Attempt } from './world.ts';

export const service = z.object({
  name: z.string(),
  start: z.union([
    z.object({ command: z.string() }),
    /** A script of package.json. */
    z.object({ script: z.string() }),
    /** A service of the compose file in the person's own checkout. It runs on their machine, outside of every sandbox. */
    z.object({ compose: z.string(), file: z.string() }),
  ]),
  /** `$PORT` stands for the free port that it gets. */
  ready: z.union([
    z.object({ http: z.string() }),
    z.object({ tcp: z.union([z.number(), z.literal('$PORT')]) }),
    z.object({ command: z.string() }),
  ]),
  /** Seconds until it must be ready. */
  limit: z.number(),
});
export type Service = z.infer<typeof service>;

export const serviceCause = z.enum(['missing-module', 'missing-script', 'missing-command', 'port-taken', 'exited', 'not-ready']);
export type ServiceCause = z.infer<typeof serviceCause>;

/** One start of a service alone, to see whether the verifications that require it can run. */
export const serviceProbe = z.object({
  name: z.string(),
  /** Code number that it counts for; null if that tree was not kept. */
  code: z.number().nullable(),
  /** Number of the world that it was made in; absent in older journals. */
  world: z.number().optional(),
  up: z.boolean(),
  /** Absent if the service is up; `why` is empty then. */
  cause: serviceCause.optional(),
  why: z.string(),
  /** The machine kept it down, also alone: nobody mends it, and nothing is taken back for it. */
  machine: z.literal(true).optional(),
  /** What it printed. */
  output: ref,
  excerpt: z.string(),
  exit: z.number().nullable(),
  /** Milliseconds. */
  duration: z.number(),
});
export type ServiceProbe = z.infer<typeof serviceProbe>;

/** A probe in the record of its service. */
export type Probed = ServiceProbe & Pick<Attempt, 'n'>;

export const serviceFacts = [
  /** From the sprint's services.yaml. */
  z.object({ fact: z.literal('services.read'), services: z.array(service) }),
  z.object({ fact: z.literal('service.probed'), probe: serviceProbe }),
  /** A compose service on the person's machine. `ours`: Loop started it. `beside`: other compose services that came up with it. */
  z.object({
    fact: z.literal('service.started'),
    name: z.string(),
    ours: z.boolean(),
    why: z.string(),
    beside: z.array(z.string()),
  }),
] as const;

/** The state of a compose service, and the services that Loop must stop with it. */
export interface Started {
  ours: boolean;
  why: string;
  beside: string[];
}

/** A service that Loop started stays `ours`, although the next probe finds it running already. */
export function startedAgain(before: Started | undefined, { ours, why, beside }: Started): Started {
  return { ours: ours || before?.ours === true, why, beside: [...new Set([...(before?.beside ?? []), ...beside])] };
}

/** The ledger keeps probes and fixes under this. The space keeps it apart from every id of a verification. */
export function serviceLineage(name: string): string {
  return `service ${name}`;
}
