/**
 * A service is what verifications need running: how it is started, how to tell that it is ready, and within how long
 * (spec/1 §6.3). Each verification that requires one gets its own, in its own sandbox (docs/decisions/0010); the ledger
 * keeps what was seen of it, and its fixes, under a lineage that no check can have.
 */
import { z } from 'zod';
import { ref } from './ref.ts';

export const service = z.object({
  name: z.string(),
  start: z.union([
    z.object({ command: z.string() }),
    /** A script of package.json. */
    z.object({ script: z.string() }),
    /** A service of the compose file in the person's own checkout. It runs on their machine, outside of every sandbox. */
    z.object({ compose: z.string(), file: z.string() }),
  ]),
  /** `$PORT` stands for the free port that the run was given. */
  ready: z.union([
    z.object({ http: z.string() }),
    z.object({ tcp: z.union([z.number(), z.literal('$PORT')]) }),
    z.object({ command: z.string() }),
  ]),
  /** Seconds. */
  limit: z.number(),
});
export type Service = z.infer<typeof service>;

export const serviceCause = z.enum(['missing-module', 'missing-script', 'missing-command', 'port-taken', 'exited', 'not-ready']);
export type ServiceCause = z.infer<typeof serviceCause>;

/** One start of a service by itself, to tell whether the checks that require it can be run. */
export const serviceProbe = z.object({
  name: z.string(),
  /** Code number that it counts for; null when that tree was not kept. */
  code: z.number().nullable(),
  up: z.boolean(),
  /** Left out where it is up, as is `why`. */
  cause: serviceCause.optional(),
  why: z.string(),
  /** What it printed. */
  output: ref,
  excerpt: z.string(),
  exit: z.number().nullable(),
  /** Milliseconds. */
  duration: z.number(),
});
export type ServiceProbe = z.infer<typeof serviceProbe>;

export const serviceFacts = [
  /** Out of the sprint's services.yaml. */
  z.object({ fact: z.literal('services.read'), services: z.array(service) }),
  z.object({ fact: z.literal('service.probed'), probe: serviceProbe }),
  /** A compose service on the person's machine; `ours` where Loop started it, `beside`: by their names in the file, what came up with it. */
  z.object({
    fact: z.literal('service.started'),
    name: z.string(),
    ours: z.boolean(),
    why: z.string(),
    beside: z.array(z.string()),
  }),
] as const;

/** What became of a compose service, and what Loop must stop with it. */
export interface Started {
  ours: boolean;
  why: string;
  beside: string[];
}

/** What Loop started once stays its own: at the next look it merely runs. */
export function startedAgain(before: Started | undefined, { ours, why, beside }: Started): Started {
  return { ours: ours || before?.ours === true, why, beside: [...new Set([...(before?.beside ?? []), ...beside])] };
}

/** Under which the ledger keeps probes and fixes; the id of a check has no space. */
export function serviceLineage(name: string): string {
  return `service ${name}`;
}
