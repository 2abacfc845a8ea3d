/**
 * Starts a job's services inside its own sandbox and runs the program once all are ready (docs/decisions/0010). What became
 * of them is told on a socket that neither they nor the program can reach (I8). When the sandbox ends, the kernel ends them.
 */
import type { DeadService } from '../../engine/work/job.ts';
import type { Service } from '../../engine/work/service.ts';
import { isExternal, startWords } from '../../engine/services/service-words.ts';
import type { Mount } from './bubblewrap.ts';
import { PROGRAM_DIR } from './layout.ts';
import type { Program } from './program.ts';
import { quoted, supervisorArgv, supervisorText } from './supervisor.ts';

/** Seconds that starting may take beyond the longest limit, for a busy computer. */
const slack = 10;

export interface Supervised extends Program {
  /** Seconds in which the program must begin. */
  startup: number;
}

/** The program with its services before it. @param port stands for `$PORT` where a service is asked. */
export function withServices(program: Program, services: readonly Service[], port: number): Supervised {
  const path = `${PROGRAM_DIR}/services.sh`;
  return {
    argv: supervisorArgv(path, program.argv),
    mounts: [...program.mounts, { kind: 'text', path, text: supervisorText(linesOf(services, port)) }, ...services.flatMap(filesOf)],
    env: program.env,
    startup: Math.max(...services.map((s) => s.limit)) + slack,
  };
}

/** The TCP port at which a service is asked; undefined for a command. */
export function portOf({ ready }: Pick<Service, 'ready'>, port: number): number | undefined {
  if ('command' in ready) return undefined;
  if ('tcp' in ready) return ready.tcp === '$PORT' ? port : ready.tcp;
  const { port: given, protocol } = urlOf(ready.http, port);
  return given === '' ? (protocol === 'https:' ? 443 : 80) : Number(given);
}

/** What was told on the socket: whether the program began, which service did not come up, and what each printed last. */
export interface Reported {
  began: boolean;
  dead: DeadService | undefined;
  logs: Record<string, string>;
}

/** @param text the lines as the supervisor wrote them. A service that is not up where nothing began was killed. */
export function readStartup(text: string, services: readonly Service[], timedOut: boolean): Reported {
  const logs: Record<string, string> = {};
  const up = new Set<string>();
  let began = false;
  let dead: DeadService | undefined;
  for (const line of text.split('\n')) {
    const [word, name = '', ...more] = line.split(' ');
    if (word === 'ready') began = true;
    else if (word === 'up') up.add(name);
    else if (word === 'log') logs[name] = `${logs[name] ?? ''}${more.join(' ')}\n`;
    else if (word === 'dead') dead ??= deadOf(name, more);
  }
  const first = services.find((s) => !up.has(s.name));
  if (!began && !dead && first) dead = { name: first.name, how: timedOut ? 'not-ready' : 'exited', exit: null };
  return { began, dead, logs };
}

const ways: readonly DeadService['how'][] = ['exited', 'not-ready', 'refused', 'taken'];

function deadOf(name: string, [how = '', code = '']: readonly string[]): DeadService {
  return { name, how: ways.find((way) => way === how) ?? 'exited', exit: /^\d+$/.test(code) ? Number(code) : null };
}

function linesOf(services: readonly Service[], port: number): string[] {
  const tell = services.map(({ name }, i) => `${call('tell', [String(i), name])};`);
  return [
    `tell_all() { ${tell.join(' ')} }`,
    ...services.flatMap((s, i) => freeLine(s, i, port)),
    ...services.map((s, i) => keepLine(s, i, port)),
  ];
}

/** Nothing may answer before a service is started: it would be taken for the service. */
function freeLine(service: Service, index: number, port: number): string[] {
  if (isExternal(service) || 'command' in service.ready) return [];
  return [call('free', [String(index), service.name, ...askedOf(service, index, port)])];
}

function keepLine(service: Service, index: number, port: number): string {
  const file = isExternal(service) ? '-' : startFile(index);
  const line = call('keep', [String(index), service.name, String(service.limit), file, ...askedOf(service, index, port)]);
  return `${line} & keepers="$keepers $!"`;
}

function call(name: string, words: readonly string[]): string {
  return [name, ...words.map(quoted)].join(' ');
}

/** What is asked, as the supervisor's `ask` takes it. */
function askedOf(service: Service, index: number, port: number): string[] {
  const { ready } = service;
  if ('command' in ready) return ['command', readyFile(index)];
  const at = String(portOf({ ready }, port));
  if ('tcp' in ready) return [isExternal(service) ? 'forwarded' : 'tcp', '127.0.0.1', at];
  const { hostname, pathname, search, href } = urlOf(ready.http, port);
  return ['http', hostname.replaceAll(/[[\]]/g, ''), at, `${pathname}${search}`, href];
}

function urlOf(text: string, port: number): URL {
  return new URL(text.replaceAll(/\$(PORT\b|\{PORT\})/g, String(port)));
}

function filesOf(service: Service, index: number): Mount[] {
  const { ready } = service;
  return [
    ...(isExternal(service) ? [] : [{ kind: 'text' as const, path: startFile(index), text: startWords(service) }]),
    ...('command' in ready ? [{ kind: 'text' as const, path: readyFile(index), text: ready.command }] : []),
  ];
}

function startFile(index: number): string {
  return `${PROGRAM_DIR}/service-${index}`;
}

function readyFile(index: number): string {
  return `${PROGRAM_DIR}/ready-${index}`;
}
