/**
 * The one way out of sandboxes that reach only package registries. It is made once a sprint, in the engine's process, and so are
 * the sockets of each run: so what a run asked for is known, and the person's credentials are nowhere else.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join as pathOf } from 'node:path';
import type { Traffic } from '../../engine/work/traffic.ts';
import { machineRegistries, type MachineRegistries } from '../registries/machine-registries.ts';
import type { Env } from '../registries/registry.ts';
import type { Host } from '../sandbox/layout.ts';
import type { TalkingRunner } from '../sandbox/runner.ts';
import { isLoopback } from './addresses.ts';
import { loopbackTargets, rulesOf, targetOf, wordsOf, type Target } from './allow-list.ts';
import { dial } from './dial.ts';
import { proxySocket, type OpenEgress } from './open-egress.ts';
import { createProxy, follow, join, type Line, type Policy, type Seen } from './proxy.ts';
import { upstreamOf } from './upstream.ts';

export interface Egress {
  policy: Policy;
  machine: MachineRegistries;
  /** Registries and services on this machine's loopback, which programs reach at the same port inside. */
  loopback: readonly Target[];
  /** Servers of Loop's own, which the program reaches at these ports inside. They serve one run. */
  servers?: ReadonlyMap<number, Server>;
}

export function createEgress(host: Host, env: Env, allowed: readonly string[]): Egress {
  const machine = machineRegistries({ home: host.home, env, path: host.toolchains.path });
  const rules = rulesOf(machine, allowed);
  const policy = { rules, registries: machine.registries, upstream: upstreamOf(env, machine.proxy) };
  return { policy, machine, loopback: loopbackTargets(rules) };
}

/** A runner whose jobs reach the registries, except those that are offline. */
export function throughEgress(runner: TalkingRunner, egress: Egress): TalkingRunner {
  return {
    async run(job, signal, begin) {
      if (job.offline || signal.aborted) return runner.run(job, signal, begin);
      const { done, traffic } = await withEgress(egress, (open) => runner.run({ ...job, egress: open }, signal, begin));
      return { ...done, traffic };
    },
  };
}

/** Opens the ways out while `use` runs. @returns what it returned, and what was asked for meanwhile. */
async function withEgress<T>(egress: Egress, use: (open: OpenEgress) => Promise<T>): Promise<{ done: T; traffic: Traffic }> {
  const { policy, machine, loopback, servers = new Map<number, Server>() } = egress;
  const record = new Traced(egress);
  const folder = folderForSockets();
  const doors: Door[] = [];
  try {
    doors.push(await opened(createProxy(policy, record), pathOf(folder, proxySocket)));
    for (const target of loopback) doors.push(await opened(loopbackServer(policy, record, target), pathOf(folder, String(target.port))));
    for (const [port, server] of servers) doors.push(await opened(server, pathOf(folder, String(port))));
    const ports = [...loopback.map(({ port }) => port), ...servers.keys()];
    return {
      done: await use({ folder, ports, files: machine.files, hidden: machine.read, shown: machine.certificates }),
      traffic: record.traffic(),
    };
  } finally {
    for (const door of doors) door.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Bytes of a socket's path. Of a longer one Node.js leaves out the end without a word. */
const longestPath = 107;
const longestName = 20;

/** A folder for temporary files may be too deep for sockets. Each sandbox covers both. */
function folderForSockets(): string {
  const folder = pathOf(tmpdir(), 'loop-');
  return mkdtempSync(Buffer.byteLength(folder) + longestName > longestPath ? '/tmp/loop-' : folder);
}

interface Door {
  close(): void;
}

function opened(server: Server, path: string): Promise<Door> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket.once('close', () => sockets.delete(socket)));
  });
  const close = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(path, () => resolve({ close }));
  });
}

/** A registry that wants credentials is seen into, so that they can be added; anything else is connected as it is. */
function loopbackServer(policy: Policy, seen: Seen, target: Target): Server {
  const needsLogin = policy.registries.some(({ url, authorization }) => {
    const at = new URL(url);
    const own = targetOf(at.host, 80);
    return authorization !== undefined && at.protocol === 'http:' && own !== undefined && isLoopback(own.host) && own.port === target.port;
  });
  if (needsLogin) return createProxy(policy, seen, target);
  const addresses = target.host === 'localhost' ? ['127.0.0.1', '::1'] : [target.host];
  return createServer({ allowHalfOpen: true }, (client) => {
    const line = seen.asked(wordsOf(target));
    client.on('error', () => undefined).once('close', () => line.closed());
    dial(addresses, target.port, connectTimeout).then(
      (host) => {
        seen.reached(wordsOf(target));
        // What was closed meanwhile closes nothing any more.
        if (client.destroyed) host.destroy();
        else {
          follow(line, client, host);
          join(client, host);
        }
      },
      () => {
        seen.unreachable(wordsOf(target));
        client.destroy();
      },
    );
  });
}

/** Milliseconds; loopback answers at once. */
const connectTimeout = 5000;

/** Milliseconds without an answer, after which a host is called silent. */
const longSilence = 5000;

/** A program may ask for as many hosts as it likes; only these are kept. */
const mostHosts = 50;

class Traced implements Seen {
  private readonly refusals = new Set<string>();
  private readonly hosts = new Set<string>();
  private readonly silent = new Set<string>();
  private readonly waiting = new Set<{ host: string; since: number | undefined }>();
  private readonly egress: Egress;

  constructor(egress: Egress) {
    this.egress = egress;
  }

  refused(host: string): void {
    if (this.refusals.size < mostHosts) this.refusals.add(host);
  }

  reached(host: string): void {
    this.hosts.add(host);
  }

  unreachable(host: string): void {
    if (this.silent.size < mostHosts) this.silent.add(host);
  }

  asked(host: string): Line {
    const line: { host: string; since: number | undefined } = { host, since: performance.now() };
    this.waiting.add(line);
    return {
      asked: () => void (line.since ??= performance.now()),
      answered: () => void (line.since = undefined),
      closed: () => {
        this.tellSilent([line]);
        this.waiting.delete(line);
      },
    };
  }

  /** Of lines that end: one that goes on may still be answered. */
  private tellSilent(lines: Iterable<{ host: string; since: number | undefined }>): void {
    for (const { host, since = Infinity } of lines) if (performance.now() - since >= longSilence) this.unreachable(host);
  }

  traffic(): Traffic {
    this.tellSilent(this.waiting);
    const { registries, rules } = this.egress.policy;
    const locked = registries.filter(({ url, authorization }) => authorization !== undefined && url.startsWith('https:'));
    const withheld = locked.flatMap(({ url }) => {
      const target = targetOf(new URL(url).host, 443);
      return target && this.hosts.has(wordsOf(target)) ? [wordsOf(target)] : [];
    });
    return {
      refused: [...this.refusals],
      reached: [...this.hosts],
      unreachable: [...this.silent],
      withheld: [...new Set(withheld)],
      allowed: [...new Set(rules.map(wordsOf))],
    };
  }
}
