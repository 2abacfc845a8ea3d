/**
 * Starts a job's services inside its own sandbox and runs the program once all are ready (docs/decisions/0010). Their state is
 * reported on a socket that neither they nor the program can write to (I8). The kernel ends them with the sandbox.
 */
import { quoted } from '../../engine/ground/shell-quoted.ts';
import type { DeadService } from '../../engine/work/job.ts';
import type { Service } from '../../engine/work/service.ts';
import { isExternal } from '../../engine/services/external.ts';
import { portsOf, portVariable } from '../../engine/services/ports.ts';
import { startWords } from '../../engine/services/service-words.ts';
import { isLoopback } from '../egress/addresses.ts';
import type { Mount } from './bubblewrap.ts';
import { programDir } from './layout.ts';
import type { Program } from './program.ts';
import { supervisorArgv, supervisorText } from './supervisor.ts';

/** Seconds that starting may take beyond the limits, because the computer may be busy. */
const slack = 10;

export interface Supervised extends Program {
  /** Seconds within which the program must begin. */
  startup: number;
}

export interface Supervision {
  /** Free ones, as many as there are services. */
  ports: readonly number[];
  /** Seconds that the services go on when the program has ended. */
  lingers: number;
}

/** Returns a program that starts the services first. */
export function withServices(program: Program, services: readonly Service[], { ports, lingers }: Supervision): Supervised {
  const path = `${programDir}/services.sh`;
  return {
    argv: supervisorArgv(path, program.argv),
    mounts: [
      ...program.mounts,
      {
        kind: 'text',
        path,
        text: supervisorText(shellLines(services, portsOf(services, ports)), { begins: program.handed !== undefined, lingers }),
      },
      ...services.flatMap(fileMounts),
    ],
    env: program.env,
    ...(program.handed ? { handed: program.handed } : {}),
    startup: services.reduce((sum, { limit }) => sum + limit, slack),
  };
}

/** How a program of a run is told its ports: the run's own, and those of its services by their names. */
export function portVariables(services: readonly Service[] = [], ports: readonly number[]): Record<string, string> {
  const given = portsOf(services, ports);
  return {
    PORT: String(ports[0]),
    ...Object.fromEntries(services.map((service, i) => [portVariable(service), String(given[i])])),
  };
}

/** The TCP port on which a service is probed; undefined where a command probes it. @param port its own. */
export function portOf({ ready }: Pick<Service, 'ready'>, port: number): number | undefined {
  if ('command' in ready) return undefined;
  if ('tcp' in ready) return ready.tcp === '$PORT' ? port : ready.tcp;
  const { port: given, protocol } = urlOf(ready.http, port);
  return given === '' ? (protocol === 'https:' ? 443 : 80) : Number(given);
}

/** What the supervisor reported on the socket. */
export interface Startup {
  /** Whether the program began. */
  began: boolean;
  /** The service that did not come up. */
  dead: DeadService | undefined;
  /** The last lines that each service printed, by its name. */
  logs: Record<string, string>;
}

/**
 * Reads the supervisor's lines. If the program did not begin and no service is reported dead, the run was killed during the
 * start; then the first service that is not up counts as dead.
 */
export function readStartup(text: string, services: readonly Service[], timedOut: boolean): Startup {
  const logs: Record<string, string> = {};
  const up = new Set<string>();
  let began = false;
  let dead: DeadService | undefined;
  for (const line of text.split('\n')) {
    const [word, name = '', ...more] = line.split(' ');
    if (word === 'ready') began = true;
    else if (word === 'up') up.add(name);
    else if (word === 'log') logs[name] = `${logs[name] ?? ''}${more.join(' ')}\n`;
    else if (word === 'dead') dead ??= deadServiceOf(name, more);
  }
  const first = services.find((s) => !up.has(s.name));
  if (!began && !dead && first) dead = { name: first.name, how: timedOut ? 'not-ready' : 'exited', exit: null };
  return { began, dead, logs };
}

const causes: readonly DeadService['how'][] = ['exited', 'not-ready', 'refused', 'taken'];

function deadServiceOf(name: string, [how = '', code = '']: readonly string[]): DeadService {
  return { name, how: causes.find((way) => way === how) ?? 'exited', exit: /^\d+$/.test(code) ? Number(code) : null };
}

function shellLines(services: readonly Service[], ports: readonly number[]): string[] {
  const portAt = (i: number): number => ports[i] ?? 0;
  const sends = services.map(({ name }, i) => `${call('send_log', [String(i), name])};`);
  return [
    `send_all_logs() { ${sends.join(' ')} }`,
    ...services.flatMap((s, i) => requireFreeLine(s, i, portAt(i))),
    ...services.map((s, i) => bringUpLine(s, i, portAt(i))),
  ];
}

/** Nothing may answer on the port before the start, or it would be taken for the service. */
function requireFreeLine(service: Service, index: number, port: number): string[] {
  if (isExternal(service) || 'command' in service.ready) return [];
  return [call('require_free', [String(index), service.name, ...probeArguments(service, index, port)])];
}

function bringUpLine(service: Service, index: number, port: number): string {
  const file = isExternal(service) ? '-' : startFile(index);
  const words = [String(index), service.name, String(service.limit), String(port), file];
  return `${call('bring_up', [...words, ...probeArguments(service, index, port)])} || exit 1`;
}

function call(name: string, words: readonly string[]): string {
  return [name, ...words.map(quoted)].join(' ');
}

/** The arguments of the supervisor's function `probe`. */
function probeArguments(service: Service, index: number, port: number): string[] {
  const { ready } = service;
  if ('command' in ready) return ['command', readyFile(index)];
  const at = String(portOf({ ready }, port));
  if ('tcp' in ready) return [isExternal(service) ? 'forwarded' : 'own-tcp', '127.0.0.1', at];
  // A service of this sandbox is reached where it listens, and at nothing that only leads there.
  const { hostname, pathname, search, href } = urlOf(ready.http, port);
  const host = hostname.replaceAll(/[[\]]/g, '');
  return [!isExternal(service) && isLoopback(host) ? 'own-http' : 'http', host, at, `${pathname}${search}`, href];
}

function urlOf(text: string, port: number): URL {
  return new URL(text.replaceAll(/\$(PORT\b|\{PORT\})/g, String(port)));
}

function fileMounts(service: Service, index: number): Mount[] {
  const { ready } = service;
  return [
    ...(isExternal(service) ? [] : [{ kind: 'text' as const, path: startFile(index), text: startWords(service) }]),
    ...('command' in ready ? [{ kind: 'text' as const, path: readyFile(index), text: ready.command }] : []),
  ];
}

function startFile(index: number): string {
  return `${programDir}/service-${index}`;
}

function readyFile(index: number): string {
  return `${programDir}/ready-${index}`;
}
