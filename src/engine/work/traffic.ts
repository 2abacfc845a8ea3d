/** What commands asked for on the network, and the facts of it. */
import * as z from 'zod';

/** What one run asked for, where commands reach only package registries. */
export interface Traffic {
  /** `example.com`, `127.0.0.1:5432`: hosts that were refused. */
  refused: readonly string[];
  /** Hosts that it was connected to. */
  reached: readonly string[];
  /** Hosts that may be reached and could not be, or that answered with an error of their own. */
  unreachable?: readonly string[];
  /** Those of `reached` for which this machine has credentials that could not be added: https is not seen into. */
  withheld: readonly string[];
  /** All that could be reached. */
  allowed: readonly string[];
}

const hostNames = z.array(z.string());
/** The row and its target, and the first line of the command. */
const askerFields = { by: z.string(), command: z.string() };

export const trafficFacts = [
  /** Once for each host of a sprint. */
  z.object({ fact: z.literal('host.refused'), host: z.string(), ...askerFields }),
  /** A command reached hosts: it installed something, as a rule. */
  z.object({ fact: z.literal('hosts.reached'), hosts: hostNames, ...askerFields }),
  /** Once for each host: a registry that may have wanted the credentials of this machine, and did not get them. */
  z.object({ fact: z.literal('credentials.withheld'), host: z.string(), ...askerFields }),
] as const;

type TrafficFact = z.infer<(typeof trafficFacts)[number]>;

interface Asker {
  by: string;
  command: string;
}

/** What one run asked for, and who ran it. */
export interface Asked {
  traffic: Traffic;
  asker: Asker;
}

/** By host: who asked for it first. */
export interface Network {
  refused: Record<string, Asker>;
  withheld: Record<string, Asker>;
  /** `times` counts runs. */
  reached: Record<string, Asker & { times: number }>;
}

export function noTraffic(): Network {
  return { refused: {}, withheld: {}, reached: {} };
}

/** Hosts kept of each kind: a program may invent as many as it likes. */
const mostKept = 200;

/** What the record does not have yet. A run that reached hosts is always told of. */
export function trafficFactsOf(known: Network, runs: readonly Asked[]): TrafficFact[] {
  const told = { refused: new Set(Object.keys(known.refused)), withheld: new Set(Object.keys(known.withheld)) };
  const fresh = (kind: keyof typeof told, hosts: readonly string[]): string[] =>
    hosts.filter((host) => told[kind].size < mostKept && !told[kind].has(host) && told[kind].add(host));
  return runs.flatMap(({ traffic, asker }): TrafficFact[] => [
    ...fresh('refused', traffic.refused).map((host) => ({ fact: 'host.refused' as const, host, ...asker })),
    ...fresh('withheld', traffic.withheld).map((host) => ({ fact: 'credentials.withheld' as const, host, ...asker })),
    ...(traffic.reached.length > 0 ? [{ fact: 'hosts.reached' as const, hosts: [...traffic.reached], ...asker }] : []),
  ]);
}

/** Updates the record in place. */
export function reduceTraffic(network: Network, fact: TrafficFact): void {
  const { by, command } = fact;
  if (fact.fact === 'host.refused') network.refused[fact.host] ??= { by, command };
  else if (fact.fact === 'credentials.withheld') network.withheld[fact.host] ??= { by, command };
  else for (const host of fact.hosts) (network.reached[host] ??= { by, command, times: 0 }).times += 1;
}
