/**
 * The proxy between a sandbox and the package registries. It listens on a Unix socket, takes CONNECT and absolute addresses of
 * http, and refuses every host that is not on the list, whoever asks.
 */
import {
  createServer,
  request,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
  type Server,
  type ServerResponse,
} from 'node:http';
import { request as requestTls } from 'node:https';
import type { Duplex } from 'node:stream';
import { messageOf } from '../../engine/ground/errors.ts';
import type { Registry } from '../registries/registry.ts';
import { ruleFor, targetOf, wordsOf, type Rule, type Target } from './allow-list.ts';
import { dial, LeadsInside, routeTo, type Resolve, type Route } from './dial.ts';
import { authorizationOf, placeOfUpstream, tunnel, type Upstream } from './upstream.ts';

export interface Policy {
  rules: readonly Rule[];
  /** Their credentials are added to plain http, where the request can be seen. */
  registries: readonly Registry[];
  upstream: Upstream | undefined;
  resolve?: Resolve;
  /** Milliseconds for a client to send its request, and for a host to answer a connection. */
  patience?: number;
}

/** What one run asked for. */
export interface Seen {
  refused(host: string): void;
  reached(host: string): void;
  /** It did not answer, or says itself that it cannot. */
  unreachable(host: string): void;
  /** A connection to it begins, and waits for an answer. */
  asked(host: string): Line;
}

/** One connection, as far as its host owes an answer. */
export interface Line {
  asked(): void;
  answered(): void;
  closed(): void;
}

const usualPatience = 30_000;
const mostConnections = 256;

/** @param fixed where requests without a host go: to a registry on this machine's loopback. */
export function createProxy(policy: Policy, seen: Seen, fixed?: Target): Server {
  const patience = policy.patience ?? usualPatience;
  const server = createServer({ headersTimeout: patience, requestTimeout: 0, connectionsCheckingInterval: patience });
  server.maxConnections = mostConnections;
  const carrier = new Carrier(policy, seen, patience);
  server.on('request', (req, res) => void carrier.forward(req, res, fixed));
  server.on('connect', (req, socket, head: Buffer) => void carrier.connect(req, socket, head));
  return server;
}

/** A request that is not carried out: its status, and why. */
class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

class Carrier {
  private readonly policy: Policy;
  private readonly seen: Seen;
  private readonly patience: number;

  constructor(policy: Policy, seen: Seen, patience: number) {
    this.policy = policy;
    this.seen = seen;
    this.patience = patience;
  }

  async connect(req: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    client.on('error', ignore);
    try {
      requireOneHost(req);
      const target = targetOf(req.url ?? '');
      if (!target) throw new Refusal(400, 'CONNECT needs host:port.');
      const { addresses, upstream } = await this.route(target);
      const line = this.seen.asked(wordsOf(target));
      client.once('close', () => line.closed());
      const way = upstream ? tunnel(upstream, target, this.patience) : dial(addresses, target.port, this.patience);
      const host = await this.tell(target, way);
      this.seen.reached(wordsOf(target));
      if (client.destroyed) return void host.destroy();
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      if (head.length > 0) client.unshift(head);
      follow(line, client, host);
      join(client, host);
    } catch (error) {
      const { status, message } = refusalOf(error);
      const body = `${message}\n`;
      const lines = [
        `HTTP/1.1 ${status} Refused`,
        'Content-Type: text/plain',
        `Content-Length: ${Buffer.byteLength(body)}`,
        'Connection: close',
      ];
      client.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
    }
  }

  async forward(req: IncomingMessage, res: ServerResponse, fixed: Target | undefined): Promise<void> {
    try {
      requireOneHost(req);
      const { target, path } = placeOf(req.url ?? '', fixed);
      const route = await this.route(target);
      const line = this.seen.asked(wordsOf(target));
      res.once('pipe', () => line.answered()).once('close', () => line.closed());
      await this.pass(req, res, { target, path, route });
    } catch (error) {
      const { status, message } = refusalOf(error);
      if (res.headersSent) return void res.destroy();
      res.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(`${message}\n`);
    }
  }

  /** Decides by the name alone first: nothing is looked up for a host that is not on the list. */
  private async route(target: Target): Promise<Route> {
    const { rules, upstream, resolve } = this.policy;
    const rule = ruleFor(rules, target);
    if (!rule) throw this.refusal(target, 'it is not on the list');
    try {
      return await routeTo(target, rule, upstream, resolve);
    } catch (error) {
      if (!(error instanceof LeadsInside)) {
        this.seen.unreachable(wordsOf(target));
        throw error;
      }
      throw this.refusal(target, 'its name leads to an address of this machine or its own network');
    }
  }

  private refusal(target: Target, why: string): Refusal {
    const host = wordsOf(target);
    this.seen.refused(host);
    const list = [...new Set(this.policy.rules.map(wordsOf))].join(', ');
    return new Refusal(
      403,
      `Loop refused ${host}: ${why}. Commands of this sprint reach: ${list || 'nothing'}. ` +
        `The person can allow it: the setting loop.allowedHosts, or --allow-host ${host}.`,
    );
  }

  private async pass(req: IncomingMessage, res: ServerResponse, { target, path, route }: Place & { route: Route }): Promise<void> {
    const { upstream } = route;
    const authority = authorityOf(target);
    const login = upstream && authorizationOf(upstream);
    const headers = [
      ...forwarded(req.rawHeaders),
      ['host', authority],
      ...this.credentials(req, target, path),
      ...(login === undefined ? [] : [['proxy-authorization', login]]),
    ];
    const shared = { method: req.method, headers: headers.flat(), setHost: false };
    const ask = upstream
      ? (upstream.url.protocol === 'https:' ? requestTls : request)({
          ...shared,
          ...placeOfUpstream(upstream),
          path: `http://${authority}${path}`,
          agent: false,
        })
      : await this.tell(target, this.direct(route, target.port, { ...shared, path }));
    await new Promise<void>((resolve, reject) => {
      ask.once('error', reject);
      ask.once('response', (answer) => {
        this.seen.reached(wordsOf(target));
        if ((answer.statusCode ?? 502) >= 500) this.seen.unreachable(wordsOf(target));
        res.writeHead(answer.statusCode ?? 502, answer.statusMessage, forwarded(answer.rawHeaders).flat());
        answer.pipe(res);
        answer.once('error', reject);
        res.once('close', () => (ask.destroy(), resolve()));
      });
      req.once('error', reject).pipe(ask);
      if (res.destroyed) ask.destroy();
      else res.once('close', () => ask.destroy());
    });
  }

  /** Passes a failure on, and says which host it was. */
  private async tell<T>(target: Target, way: Promise<T>): Promise<T> {
    try {
      return await way;
    } catch (error) {
      this.seen.unreachable(wordsOf(target));
      throw error;
    }
  }

  private async direct({ addresses }: Route, port: number, options: RequestOptions): Promise<ClientRequest> {
    const socket = await dial(addresses, port, this.patience);
    return request({ ...options, createConnection: () => socket });
  }

  /** Only for reading: nobody publishes with the person's name. */
  private credentials({ method, headers }: IncomingMessage, { host, port }: Target, path: string): string[][] {
    if (headers.authorization !== undefined || (method !== 'GET' && method !== 'HEAD')) return [];
    const registry = this.policy.registries.find(({ url, authorization }) => {
      const at = new URL(url);
      const own = targetOf(at.host, 80);
      const folder = at.pathname.replace(/\/?$/, '/');
      return authorization !== undefined && at.protocol === 'http:' && own?.host === host && own.port === port && isBelow(path, folder);
    });
    return registry?.authorization === undefined ? [] : [['authorization', registry.authorization]];
  }
}

/** A path with dots could lead out of the folder at the registry. */
function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder) && !/(^|\/|%2f)(\.|%2e){1,2}(\/|%2f|\?|#|$)|\\|%5c/i.test(path);
}

interface Place {
  target: Target;
  path: string;
}

function placeOf(address: string, fixed: Target | undefined): Place {
  if (fixed && address.startsWith('/')) return { target: fixed, path: address };
  const [, authority = '', path = ''] = /^http:\/\/([^/?#]*)([/?][^#]*)?$/i.exec(address) ?? [];
  const target = targetOf(authority, 80);
  if (!target) throw new Refusal(400, 'This is a proxy: it takes CONNECT host:port, and addresses that begin with http://.');
  return { target, path: path.startsWith('/') ? path : `/${path}` };
}

function authorityOf({ host, port }: Target): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return port === 80 ? name : `${name}:${port}`;
}

/** Two of them could mean two hosts to two readers. */
function requireOneHost({ rawHeaders }: IncomingMessage): void {
  const hosts = rawHeaders.filter((name, n) => n % 2 === 0 && name.toLowerCase() === 'host');
  if (hosts.length > 1) throw new Refusal(400, 'A request has one Host header.');
}

const ownHeaders = new Set([
  'host',
  'connection',
  'proxy-connection',
  'keep-alive',
  'proxy-authorization',
  'proxy-authenticate',
  'te',
  'trailer',
  'upgrade',
  'expect',
]);

/** Headers without those that concern one connection, as pairs. The length of a body stays, however it is told. */
function forwarded(raw: readonly string[]): [string, string][] {
  const pairs = raw.flatMap((name, n): [string, string][] => (n % 2 === 0 ? [[name, raw[n + 1] ?? '']] : []));
  const named = pairs.filter(([name]) => /^connection$/i.test(name)).flatMap(([, value]) => value.toLowerCase().split(/\s*,\s*/));
  const isKept = (name: string): boolean =>
    !ownHeaders.has(name) && (!named.includes(name) || /^(content-length|transfer-encoding)$/.test(name));
  return pairs.filter(([name]) => isKept(name.toLowerCase()));
}

function refusalOf(error: unknown): Refusal {
  return error instanceof Refusal ? error : new Refusal(502, `Loop's proxy could not reach it: ${messageOf(error)}.`);
}

/** Listens to both ends of a connection that is open: a host that was sent something owes an answer. */
export function follow(line: Line, client: Duplex, host: Duplex): void {
  line.answered();
  client.on('data', () => line.asked());
  host.on('data', () => line.answered());
}

/** Connects two streams, each way until its end. */
export function join(a: Duplex, b: Duplex): void {
  for (const [from, to] of [
    [a, b],
    [b, a],
  ] as const) {
    from.on('error', () => to.destroy()).once('close', () => to.end().resume());
    from.pipe(to);
  }
}

/** What happens to a client that is gone is of no interest. */
function ignore(): void {}
