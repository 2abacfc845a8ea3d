import type { Config } from '../ground/config.ts';
import type { Service } from '../work/service.ts';

/** Runs outside of the sandbox, started by the person or with their permission. */
export function isExternal({ start }: Service): boolean {
  return 'compose' in start;
}

/** Those that an agent's commands may reach: one on the person's machine is for verifications alone, unless the network is open. */
export function reachable(services: readonly Service[], { network }: Pick<Config, 'network'>): Service[] {
  return services.filter((service) => network === 'all' || !isExternal(service));
}
