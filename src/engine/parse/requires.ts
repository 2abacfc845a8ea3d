/**
 * `REQUIRES` names services and tools alike. An entry is wrong only if it surely means a service that does not exist: it begins
 * with `service:`, or differs from a known name only in case or by a port.
 */
import type { Service } from '../work/service.ts';

/** What is wrong, with the names of all services; undefined if nothing is. */
export function requiresProblem(requires: readonly string[], services: readonly Pick<Service, 'name'>[]): string | undefined {
  const known = services.map((s) => s.name);
  const wrong = requires.find((entry) => !known.includes(entry) && (entry.startsWith('service:') || known.includes(plain(entry))));
  if (wrong === undefined) return undefined;
  const list = known.length > 0 ? `there are: ${known.join(', ')}` : 'this sprint has none';
  return `REQUIRES names "${wrong}", which is no service; ${list}. Write a service by its name alone`;
}

function plain(entry: string): string {
  return entry.toLowerCase().replace(/:\d+$/, '');
}
