/** Which addresses are this machine's or its own network's. */
import { BlockList, isIPv4, isIPv6 } from 'node:net';

const inside = new BlockList();
const v4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const;
/** Those that hold an IPv4 address (6to4, Teredo) count as inside, too. */
const v6 = [
  ['::', 127],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 9],
  ['ff00::', 8],
] as const;
for (const [network, prefix] of v4) inside.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of v6) inside.addSubnet(network, prefix, 'ipv6');

/** Whether an address is loopback, private, link-local, or otherwise no public one. A text that is no address counts as inside. */
export function isInside(address: string): boolean {
  if (isIPv4(address)) return inside.check(address, 'ipv4');
  if (!isIPv6(address)) return true;
  const embedded = embeddedIn(address);
  return embedded === undefined ? inside.check(address.replace(/%.*$/, ''), 'ipv6') : isInside(embedded);
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

/** The IPv4 address in `::ffff:a.b.c.d`, `::a.b.c.d` and `64:ff9b::a.b.c.d`, however they are written. */
function embeddedIn(address: string): string | undefined {
  const { hostname } = new URL(`http://[${address.replace(/%.*$/, '')}]/`);
  const [, high = '', low = ''] = /^\[(?:::ffff:|64:ff9b::|::)([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(hostname) ?? [];
  if (high === '') return undefined;
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [a >> 8, a & 255, b >> 8, b & 255].join('.');
}
