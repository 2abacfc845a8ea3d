/**
 * Which services there are, which checks wait for one, and what is known of each on the tree as it is. Pure (I3): it
 * follows from what was discovered, written down and probed.
 */
import type { Tank } from '../state/events.ts';
import { canBurn, tank } from '../state/fuel.ts';
import type { State, Work } from '../state/state.ts';
import type { Script, Verification } from '../work/verification.ts';
import { serviceLineage, type Service, type ServiceProbe } from '../work/service.ts';
import { isExternal } from './service-words.ts';
import { coveredTasks, isBuilt, liveScripts } from '../state/covers.ts';

/** Discovered ones and those of services.yaml, which win. */
export function servicesOf({ context, services }: Work): Service[] {
  const named = new Map([...(context?.services ?? []), ...services].map((s) => [s.name, s]));
  return [...named.values()];
}

export type Composed = Service & { start: { compose: string; file: string } };

/** Those on the person's machine, by compose. */
export function composed(work: Work): Composed[] {
  return servicesOf(work).filter((s): s is Composed => 'compose' in s.start);
}

/** Of these what runs because Loop started it, with what came up beside it, by their names in the file. */
export function startedByLoop({ work, ledger }: State): { name: string; file: string; names: string[] }[] {
  return composed(work).flatMap(({ name, start }) => {
    const { ours = false, beside = [] } = ledger.started[name] ?? {};
    return ours ? [{ name, file: start.file, names: [start.compose, ...beside] }] : [];
  });
}

/** What a check names in `REQUIRES` and is a service; all else there are tools. */
export function requiredBy(work: Work, verification: Verification): Service[] {
  return verification.kind === 'script' ? servicesOf(work).filter((s) => verification.requires.includes(s.name)) : [];
}

/** The latest look at a service on the tree that is kept; undefined where there was none on this code. */
export function probeOf({ work, ledger }: State, name: string): ServiceProbe | undefined {
  return ledger.probes[serviceLineage(name)]?.findLast((p) => p.code === work.tree.code);
}

/** Known to be down on this code. What the person says they started is not known to be: it is looked at again. */
export function isDown(state: State, service: Service): boolean {
  const probe = probeOf(state, service.name);
  if (!probe || probe.up) return false;
  return state.ledger.humanActions[serviceActionId(service)]?.status !== 'fulfilled';
}

/** The dead service that a check waits for, with its last probe: it has no result on this code, and cannot get one. */
export function downFor(state: State, verification: Verification): ServiceProbe | undefined {
  if (verification.kind !== 'script' || state.work.retired.includes(verification.id)) return undefined;
  const dead = requiredBy(state.work, verification).find((s) => isDown(state, s));
  return dead && probeOf(state, dead.name);
}

/** Services that keep checks from being run on this code, once each, with their last probe's why. */
export function downServices(state: State): { name: string; why: string; verifications: Script[] }[] {
  const dead = servicesOf(state.work).filter((s) => isDown(state, s));
  return dead
    .map((s) => ({ name: s.name, why: probeOf(state, s.name)?.why ?? '', verifications: dependants(state, s) }))
    .filter(({ verifications }) => verifications.length > 0);
}

/** `waits for service api: its port is taken`. */
export function waitWords({ name, why }: ServiceProbe): string {
  return `waits for service ${name}: ${why}`;
}

/** Live checks that require it. */
export function dependants({ work }: State, { name }: Service): Script[] {
  return liveScripts(work).filter((c) => c.requires.includes(name));
}

/** Down, and something that is built needs it, or it was up once: a dead service of work that is still open is no fault. */
export function isOurFault(state: State, service: Service): boolean {
  if (isExternal(service) || !isDown(state, service)) return false;
  const verifications = dependants(state, service);
  const wasUp = state.ledger.probes[serviceLineage(service.name)]?.some((p) => p.up && p.code !== null);
  return verifications.length > 0 && (wasUp === true || verifications.some((c) => isBuilt(coveredTasks(state.work, c))));
}

/** What one session that mends a service burns. */
export function serviceTank({ name }: Service): Tank {
  return tank('service', name);
}

/** Needed, down, and no fix is left; or on the person's machine, and they did not start it. */
export function isGivenUp(state: State, service: Service): boolean {
  if (!isDown(state, service)) return false;
  if (isExternal(service)) return state.ledger.humanActions[serviceActionId(service)]?.status === 'skipped';
  return isOurFault(state, service) && !canBurn(state.ledger, [serviceTank(service)]);
}

/** The human action that asks for a service on the person's machine. */
export function serviceActionId({ name }: Service): string {
  return serviceLineage(name);
}
