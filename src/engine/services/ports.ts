/** Which port each service of a run listens on. `PORT` is its own for a service, and for a script that of the first that asks for one. */
import type { Service } from '../work/service.ts';

/** @param ports free ones, as many as there are services: the first is the run's own. @returns the port of each service. */
export function portsOf(services: readonly Service[], [own = 0, ...others]: readonly number[]): number[] {
  const first = services.find(asksForPort);
  return services.map((service) => (service === first ? own : (others.shift() ?? own)));
}

/** The variable by which all others know the port of a service: `PORT_API`. */
export function portVariable({ name }: Pick<Service, 'name'>): string {
  return `PORT_${name.toUpperCase().replaceAll('-', '_')}`;
}

/** Whether it says that it listens on `$PORT`. */
export function asksForPort({ start, ready }: Pick<Service, 'start' | 'ready'>): boolean {
  return /\bPORT\b/.test(JSON.stringify([start, ready]));
}
