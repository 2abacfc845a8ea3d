/**
 * Why a service did not come up, without a model (I11): from how it ended, what it printed, and who holds its port.
 * Pure (I3).
 */
import type { DeadService } from '../ports.ts';
import type { Service, ServiceCause } from '../work/service.ts';
import { missingIn } from './clues.ts';

/** Started outside of the sandbox, by the person or with their leave. */
export function isExternal({ start }: Service): boolean {
  return 'compose' in start;
}

export interface Cause {
  cause: ServiceCause;
  why: string;
}

const portTaken =
  /\b(EADDRINUSE|address (?:is )?already in use|port (?:\d+ )?is (?:already )?(?:in use|allocated|being used)|Only one usage of each socket address)\b/i;
const noCommand = [126, 127];

export function causeOf(service: Service, dead: DeadService, log: string): Cause {
  const { how, exit, holder } = dead;
  if (how === 'taken' || holder !== undefined || portTaken.test(log))
    return { cause: 'port-taken', why: `its port is taken${by(holder)}` };
  const missing = how === 'exited' ? missingIn(log) : undefined;
  const [what] = missing?.key.split(' ') ?? [];
  if (missing && what === 'script') return { cause: 'missing-script', why: `${missing.why} in package.json` };
  if (missing && what === 'module') return { cause: 'missing-module', why: missing.why };
  if (exit !== null && noCommand.includes(exit))
    return { cause: 'missing-command', why: missing?.why ?? `its command cannot be run (exit status ${exit})` };
  if (how === 'exited') return { cause: 'exited', why: `it ended with ${exit === null ? 'a signal' : `exit status ${exit}`}` };
  if (how === 'refused') return { cause: 'not-ready', why: `nothing answers at ${readyWords(service)}` };
  return { cause: 'not-ready', why: `${readyWords(service)} was not ready within ${service.limit} s` };
}

/** Where a service is asked whether it is ready: an address, a port or a command. */
export function readyWords({ ready }: Service): string {
  if ('http' in ready) return ready.http;
  return 'tcp' in ready ? `port ${ready.tcp}` : `\`${ready.command}\``;
}

/**
 * Lines of bash, with an address and a port for `$0` and `$1`: whether what answers holds on. Docker takes connections to a
 * port that it publishes before anything listens in the container, and hangs up at once.
 */
export const holdsOn = 'exec 3<>"/dev/tcp/$0/$1" || exit 1; cat <&3 >/dev/null & sleep 0.2; kill $! 2>/dev/null';

/** How it is started, as a person would type it. */
export function startWords({ start }: Service): string {
  if ('command' in start) return start.command;
  return 'script' in start ? `npm run ${start.script}` : `docker compose -f ${start.file} up -d --wait ${start.compose}`;
}

function by(holder: string | undefined): string {
  return holder === undefined ? '' : ` by ${holder}`;
}
