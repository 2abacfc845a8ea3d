/** Which hosts and ports may be reached. Names are compared as they are written, before anything is looked up. Pure. */
import type { MachineRegistries } from '../registries/machine-registries.ts';
import { isLoopback } from './addresses.ts';

export interface Target {
  /** In small letters, without brackets and without a dot at its end. */
  host: string;
  port: number;
}

export interface Rule {
  host: string;
  /** Undefined for the two ports of the web. */
  port: number | undefined;
  /** It may be an address of this machine or of its network, because the person named it. */
  mayBeInside: boolean;
}

const webPorts = [443, 80];

/** @param allowed hosts that the person named for the sprint: `host` or `host:port`. */
export function rulesOf({ registries, hosts }: Pick<MachineRegistries, 'registries' | 'hosts'>, allowed: readonly string[]): Rule[] {
  return [
    ...registries.flatMap(({ url }) => ruleOf(authorityOf(new URL(url)), true)),
    ...allowed.flatMap((text) => ruleOf(text, true)),
    ...hosts.flatMap((host) => ruleOf(host, false)),
  ];
}

export function ruleFor(rules: readonly Rule[], { host, port }: Target): Rule | undefined {
  return rules.find((rule) => rule.host === host && (rule.port === undefined ? webPorts.includes(port) : rule.port === port));
}

/** Loopback ports of this machine that may be reached. Programs go to them directly, not through a proxy. */
export function loopbackTargets(rules: readonly Rule[]): Target[] {
  const targets = rules.flatMap(({ host, port }) => (isLoopback(host) && port !== undefined ? [{ host, port }] : []));
  return targets.filter((target, n) => targets.findIndex(({ port }) => port === target.port) === n);
}

/** Reads `host:port`, `[::1]:port`. Undefined for anything else, so nothing is guessed. */
export function targetOf(authority: string, defaultPort?: number): Target | undefined {
  const [, name, v6, digits] = /^(?:([A-Za-z0-9._-]{1,254})|\[([0-9A-Fa-f:.]{2,45})\])(?::(\d{1,5}))?$/.exec(authority) ?? [];
  const host = (name ?? v6 ?? '').toLowerCase().replace(/\.$/, '');
  const port = digits === undefined ? defaultPort : Number(digits);
  return host === '' || port === undefined || port < 1 || port > 65_535 ? undefined : { host, port };
}

/** `registry.npmjs.org`, `localhost:4873`. */
export function wordsOf({ host, port }: { host: string; port: number | undefined }): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return port === undefined || webPorts.includes(port) ? name : `${name}:${port}`;
}

function ruleOf(text: string, mayBeInside: boolean): Rule[] {
  const target = targetOf(text, 443);
  return target ? [{ ...target, port: /:\d+$/.test(text) ? target.port : undefined, mayBeInside }] : [];
}

function authorityOf({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port === '' ? (protocol === 'https:' ? 443 : 80) : port}`;
}
