/** The proxy that this machine itself goes through for hosts outside: a company's. */
import { request } from 'node:http';
import { request as requestTls } from 'node:https';
import type { Socket } from 'node:net';
import type { Env } from '../registries/registry.ts';
import type { Target } from './allow-list.ts';

export interface Upstream {
  url: URL;
  /** Hosts that are reached without it: names with all below them, or `*`. */
  except: readonly string[];
}

/** @param configured the proxy of a package manager, where the environment names none. */
export function upstreamOf(env: Env, configured: string | undefined): Upstream | undefined {
  const of = (name: string): string | undefined => env[name.toLowerCase()] || env[name.toUpperCase()] || undefined;
  const text = of('https_proxy') ?? of('http_proxy') ?? of('all_proxy') ?? configured;
  const address = text === undefined || text.includes('://') ? text : `http://${text}`;
  if (address === undefined || !URL.canParse(address) || !/^https?:/.test(address)) return undefined;
  const except = (of('no_proxy') ?? of('npm_config_noproxy') ?? '').split(/[\s,]+/).filter(Boolean);
  return { url: new URL(address), except: except.map((one) => one.toLowerCase()) };
}

export function isExcepted({ except }: Upstream, { host, port }: Target): boolean {
  return except.some((entry) => {
    const [, name = '', only] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry) ?? [];
    if (only !== undefined && Number(only) !== port) return false;
    return entry === '*' || host === name || (name !== '' && host.endsWith(`.${name}`));
  });
}

/** The header by which the upstream proxy knows the person. */
export function authorizationOf({ url }: Upstream): string | undefined {
  if (url.username === '') return undefined;
  const login = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return `Basic ${Buffer.from(login).toString('base64')}`;
}

export function placeOfUpstream({ url }: Upstream): { host: string; port: string | number } {
  return { host: url.hostname.replaceAll(/[[\]]/g, ''), port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : url.port };
}

/** Opens a tunnel through the upstream proxy. @throws where it refuses. */
export function tunnel(upstream: Upstream, { host, port }: Target, timeout: number): Promise<Socket> {
  const path = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const authorization = authorizationOf(upstream);
  const { url } = upstream;
  return new Promise((resolve, reject) => {
    const ask = (url.protocol === 'https:' ? requestTls : request)({
      ...placeOfUpstream(upstream),
      method: 'CONNECT',
      path,
      headers: { host: path, ...(authorization === undefined ? {} : { 'proxy-authorization': authorization }) },
      agent: false,
      timeout,
    });
    ask.once('connect', ({ statusCode = 0 }, socket: Socket, head: Buffer) => {
      if (statusCode >= 200 && statusCode < 300) {
        socket.setTimeout(0);
        if (head.length > 0) socket.unshift(head);
        return resolve(socket);
      }
      socket.destroy();
      reject(new Error(`this machine's proxy ${url.host} answered with ${statusCode}`));
    });
    ask.once('timeout', () => ask.destroy(new Error(`this machine's proxy ${url.host} did not answer`)));
    ask.once('response', ({ statusCode }) => ask.destroy(new Error(`this machine's proxy ${url.host} answered with ${statusCode}`)));
    ask.once('error', reject);
    ask.end();
  });
}
