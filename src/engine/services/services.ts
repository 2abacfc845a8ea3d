/**
 * The services of a sprint, what probes tell about each on the current code, and the verifications that wait for one.
 */
import type { Tank } from '../state/events.ts';
import { canBurn, left, tank } from '../state/fuel.ts';
import { looksNeeded } from '../state/tanks.ts';
import type { State, Work } from '../state/state.ts';
import { isStale } from '../state/world.ts';
import { requiresOf, type Runnable, type Script, type Verification } from '../work/verification.ts';
import { isExternal } from './external.ts';
import { serviceLineage, type Probed, type Service, type ServiceProbe } from '../work/service.ts';
import { isBuilt, liveScripts, neededTasks } from '../state/covers.ts';

/** Services of services.yaml, then those of discovery, which knew these: in the order in which a run starts what it needs of them. */
export function servicesOf({ context, services }: Work): Service[] {
  const found = context?.services ?? [];
  return [...services, ...found.filter(({ name }) => !services.some((own) => own.name === name))];
}

export type Composed = Service & { start: { compose: string; file: string } };

/** Services that compose runs on the person's machine. */
export function composed(work: Work): Composed[] {
  return servicesOf(work).filter((s): s is Composed => 'compose' in s.start);
}

/** Compose services that Loop started; `names` are theirs and those that came up with them, as in the compose file. */
export function startedByLoop({ work, ledger }: State): { name: string; file: string; names: string[] }[] {
  return composed(work).flatMap(({ name, start }) => {
    const { ours = false, beside = [] } = ledger.started[name] ?? {};
    return ours ? [{ name, file: start.file, names: [start.compose, ...beside] }] : [];
  });
}

/** The services in `REQUIRES` of a verification; all other entries are tools. */
export function requiredBy(work: Work, verification: Verification): Service[] {
  return verification.kind === 'script' ? servicesOf(work).filter((s) => verification.requires.includes(s.name)) : [];
}

/** The latest probe of a service on the current code; undefined if there is none. */
export function probeOf({ work, ledger }: State, name: string): Probed | undefined {
  return ledger.probes[serviceLineage(name)]?.findLast((p) => p.code === work.tree.code);
}

/**
 * Known to be down on this code, in this world. It must be probed again once the person reports that they started it, and once
 * there are new looks for one that the machine kept down.
 */
export function isDown(state: State, service: Service): boolean {
  const probe = probeOf(state, service.name);
  if (!probe || probe.up || isStale(state.ledger, serviceLineage(service.name), probe)) return false;
  if (probe.machine && left(state.ledger, serviceLookTank(state, service)) >= looksNeeded) return false;
  return state.ledger.humanActions[serviceActionId(service)]?.status !== 'fulfilled';
}

/** The last probe of the dead service that keeps a verification from running on this code. */
export function downFor(state: State, verification: Verification): ServiceProbe | undefined {
  if (verification.kind !== 'script' || state.work.retired.includes(verification.id)) return undefined;
  const dead = requiredBy(state.work, verification).find((s) => isDown(state, s));
  return dead && probeOf(state, dead.name);
}

/** The dead services that keep verifications from running on this code, each with the reason of its last probe. */
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

/** Live verifications that require it. */
export function dependants({ work }: State, { name }: Pick<Service, 'name'>): Script[] {
  return liveScripts(work).filter((v) => v.requires.includes(name));
}

/**
 * A service behind those that it may need: they are declared before it, and one of these verifications, or a live one, requires them
 * with it.
 */
export function startOf(state: State, service: Service, verifications: readonly Runnable[] = []): Service[] {
  const all = servicesOf(state.work);
  const known = [...verifications, ...dependants(state, service)].map(requiresOf);
  const beside = known.filter((names) => names.includes(service.name)).flat();
  const at = all.findIndex(({ name }) => name === service.name);
  return [...all.filter(({ name }, i) => i < at && beside.includes(name)), service];
}

/** Down although built work needs it, or although it was up before. A dead service of open work is to be expected. */
export function isOurFault(state: State, service: Service): boolean {
  if (isExternal(service) || !isDown(state, service) || probeOf(state, service.name)?.machine) return false;
  const verifications = dependants(state, service);
  const wasUp = state.ledger.probes[serviceLineage(service.name)]?.some((p) => p.up && p.code !== null);
  return verifications.length > 0 && (wasUp === true || verifications.some((v) => isBuilt(neededTasks(state.work, v))));
}

/** The tank of starts alone of a service that the machine may keep down. A resume, which burns fuel, opens another. */
export function serviceLookTank({ work: { tree }, ledger }: State, { name }: Pick<Service, 'name'>): Tank {
  const code = tree.change ? `change ${tree.change.n}` : tree.code;
  return tank('look', `${serviceLineage(name)}@${code}#${ledger.resumes}`);
}

/** Services that the machine keeps down on this code. */
export function keptDown(state: State): ServiceProbe[] {
  return servicesOf(state.work).flatMap((service) => {
    const probe = probeOf(state, service.name);
    return probe?.machine && isDown(state, service) ? [probe] : [];
  });
}

/** The tank that one session to repair a service burns. */
export function serviceTank({ name }: Service): Tank {
  return tank('service', name);
}

/** Down, and no fix is left for it; or external, and the person skipped starting it. */
export function isGivenUp(state: State, service: Service): boolean {
  if (!isDown(state, service)) return false;
  if (isExternal(service)) return state.ledger.humanActions[serviceActionId(service)]?.status === 'skipped';
  return isOurFault(state, service) && !canBurn(state.ledger, [serviceTank(service)]);
}

/** Id of the human action that asks the person to start it. */
export function serviceActionId({ name }: Service): string {
  return serviceLineage(name);
}
