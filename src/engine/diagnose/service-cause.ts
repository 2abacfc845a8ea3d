/**
 * Why a service did not come up, without a model (I11): from how it ended, what it printed, and who holds its port.
 */
import type { DeadService } from '../work/job.ts';
import type { Service, ServiceCause } from '../work/service.ts';
import { readyWords } from '../services/service-words.ts';
import { missingIn } from './clues.ts';

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
    return { cause: 'port-taken', why: `its port is taken${holderWords(holder)}` };
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

function holderWords(holder: string | undefined): string {
  return holder === undefined ? '' : ` by ${holder}`;
}
