/** Connects to a host that may be reached: to the very address that was looked at, so a name cannot change in between. */
import { lookup } from 'node:dns/promises';
import { connect, isIP, type Socket } from 'node:net';
import { isInside } from './addresses.ts';
import type { Rule, Target } from './allow-list.ts';
import { isExcepted, type Upstream } from './upstream.ts';

export type Resolve = (host: string) => Promise<string[]>;

export interface Route {
  /** Addresses to connect to; empty where the way is through the upstream proxy. */
  addresses: string[];
  upstream: Upstream | undefined;
}

/** A name that leads into this machine or its network, though nobody named it for that. */
export class LeadsInside extends Error {}

/** @throws LeadsInside; any other error where the name is unknown. */
export async function routeTo(target: Target, rule: Rule, upstream: Upstream | undefined, resolve: Resolve = resolved): Promise<Route> {
  const outer = upstream && !isExcepted(upstream, target) ? upstream : undefined;
  const addresses = await resolve(target.host).catch((error: unknown) => {
    // Behind a company's proxy, names outside are often unknown inside.
    if (outer) return [];
    throw error;
  });
  const leadsInside = addresses.some(isInside);
  if (leadsInside && !rule.mayBeInside) throw new LeadsInside(target.host);
  return outer && !leadsInside ? { addresses: [], upstream: outer } : { addresses, upstream: undefined };
}

/** @throws the last address's error. */
export async function dial(addresses: readonly string[], port: number, timeout: number): Promise<Socket> {
  let last: unknown = new Error('the name has no address');
  for (const address of addresses) {
    try {
      return await dialed(address, port, timeout);
    } catch (error) {
      last = error;
    }
  }
  throw last;
}

async function resolved(host: string): Promise<string[]> {
  if (isIP(host) !== 0) return [host];
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

function dialed(host: string, port: number, timeout: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, allowHalfOpen: true, timeout });
    socket.once('timeout', () => socket.destroy(new Error(`${host} did not answer`)));
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.setTimeout(0).off('error', reject);
      resolve(socket);
    });
  });
}
