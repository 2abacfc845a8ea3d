/**
 * Probes the services of a batch before its verifications run: each service once, behind those that it may need, in a sandbox of
 * its own, all at the same time. A dead service is one fact and one failure, however many verifications require it.
 */
import { Bug, Interruption } from '../ground/errors.ts';
import type { AbortSignal, Runner } from '../ports.ts';
import type { Finished, Place } from '../work/job.ts';
import type { State } from '../state/state.ts';
import { excerpt } from '../ground/text.ts';
import { deedOf, type HumanAction } from '../work/human-action.ts';
import { requiresOf, type Runnable } from '../work/verification.ts';
import { patience, untilCalm } from './alone.ts';
import type { Ground } from './ground.ts';
import type { Fact } from '../work/facts.ts';
import { isExternal } from '../services/external.ts';
import { serviceLineage, type Service, type ServiceProbe, type Started } from '../work/service.ts';
import { readyWords, startWords } from '../services/service-words.ts';
import { holdsOn } from '../services/holds-on.ts';
import { causeOf, type Cause } from '../diagnose/service-cause.ts';
import { dependants, requiredBy, serviceActionId, serviceLookTank, servicesOf, startOf } from '../services/services.ts';
import { installFault } from '../judge/install-fault.ts';
import { isExpectedRed } from '../judge/unsettled.ts';
import { installWords } from '../work/install.ts';
import { isCalm, isGreen, mayBeMachine } from '../judge/verdict.ts';
import { looksNeeded } from '../state/tanks.ts';

export interface Probing {
  verifications: readonly Runnable[];
  at: Place;
  /** Code number that the probes count for; null when it is decided later or never. */
  code: number | null;
}

/** Characters of a log that a journal line keeps. */
const kept = 4000;

/**
 * @returns a probe of every service that these verifications require, and the verifications that can run. Behind one that is down,
 * nothing is known of a service.
 */
export async function probeServices(
  ground: Ground,
  { verifications, at, code }: Probing,
): Promise<{ probes: ServiceProbe[]; ready: Runnable[] }> {
  const { work } = ground.state;
  const needed = servicesOf(work).filter((s) => verifications.some((v) => requiresOf(v).includes(s.name)));
  const starts = needed.map((service) => startOf(ground.state, service, verifications));
  const found = await Promise.all(starts.map((start) => probeBesideOthers(ground, start, { at, code })));
  for (const [i, start] of starts.entries()) {
    const first = found[i];
    if (first) found[i] = await probedAlone(ground, start, { at, code }, first);
  }
  for (const service of unknownBehind(needed, found, verifications))
    found.push(await probedAlone(ground, [service], { at, code }, await probeBesideOthers(ground, [service], { at, code })));
  const probes = found.filter(({ name }, i) => found.findIndex((probe) => probe.name === name) === i);
  const dead = new Set(probes.filter((p) => !p.up).map((p) => p.name));
  return { probes, ready: verifications.filter((v) => !requiredBy(work, v).some((s) => dead.has(s.name))) };
}

/** Services behind one that is down, which a verification requires without that one. @param found one probe for each of them. */
function unknownBehind(needed: readonly Service[], found: readonly ServiceProbe[], verifications: readonly Runnable[]): Service[] {
  return needed.filter((service, i) => {
    const down = found[i]?.name ?? service.name;
    return down !== service.name && verifications.map(requiresOf).some((names) => names.includes(service.name) && !names.includes(down));
  });
}

/** Probes one service, and again alone where the machine may have kept it down. The probe is of the one before it that is down. */
export async function probeService(ground: Ground, service: Service, where: Pick<Probing, 'at' | 'code'>): Promise<ServiceProbe> {
  const start = startOf(ground.state, service);
  return probedAlone(ground, start, where, await probeBesideOthers(ground, start, where));
}

/** Nobody mends a service before the work is there that needs it. */
function matters(state: State, service: Service): boolean {
  const was = state.ledger.probes[serviceLineage(service.name)] ?? [];
  return was.some(({ up }) => up) || dependants(state, service).some((v) => !isExpectedRed(state, v));
}

/** Not ready in time twice, alone and on a calm machine, is the service's own doing. A taken port never is. */
async function probedAlone(
  ground: Ground,
  start: readonly Service[],
  where: Pick<Probing, 'at' | 'code'>,
  first: ServiceProbe,
): Promise<ServiceProbe> {
  const service = start.at(-1);
  if (first.name !== service?.name) return first;
  if (!first.machine || lackingFor(ground.state, where.at) !== undefined) return first;
  if (!matters(ground.state, service)) return own(first);
  let latest = first;
  let calm = 0;
  for (let looks = 0; looks < looksNeeded; looks += 1) {
    if (ground.beginLook && !(await ground.beginLook(serviceLookTank(ground.state, service), `start ${service.name} alone`))) break;
    const before = await untilCalm(ground, service.limit);
    if (latest.cause === 'port-taken') await ground.ports.clock.sleep(portPause, ground.signal);
    const patient = start.map((one) => ({ ...one, limit: one.limit * patience }));
    latest = await probeBesideOthers(ground, patient, where);
    if (!latest.machine || latest.name !== service.name) return latest;
    if (latest.cause !== 'port-taken' && isCalm(before)) calm += 1;
  }
  return calm === looksNeeded ? own(latest) : latest;
}

/** The same probe, as the service's own doing. */
function own({ machine: _machine, ...probe }: ServiceProbe): ServiceProbe {
  return probe;
}

/** Milliseconds in which a port may become free. */
const portPause = 3000;

async function probeBesideOthers(
  { state, ports, signal }: Ground,
  services: readonly Service[],
  { at, code }: Pick<Probing, 'at' | 'code'>,
): Promise<ServiceProbe> {
  const start = await startOnce(ports.runner, services, { at, network: state.config.network === 'all' }, signal);
  const { cause, log, exit, duration } = start;
  const { name } = start.service;
  const lacks = cause && lackingFor(state, at);
  const machine = (start.machine || lacks !== undefined) && !isExternal(start.service) ? { machine: true as const } : {};
  const why = lacks === undefined ? (cause?.why ?? '') : `the install ${lacks} failed`;
  const before = state.ledger.probes[serviceLineage(name)]?.at(-1);
  if (before?.up !== !cause || before.why !== why)
    ports.progress({ kind: 'note', text: cause ? `service ${name} is down: ${why}` : `service ${name} is up` });
  const evidence = { why, output: await ports.payloads.put(log), excerpt: excerpt(log, kept) };
  return {
    name,
    code,
    world: state.ledger.world,
    up: !cause,
    ...(cause ? { cause: cause.cause } : {}),
    ...machine,
    ...evidence,
    exit,
    duration: Math.round(duration),
  };
}

/** The install that failed where it would start: what does not come up without it says nothing of the work. */
function lackingFor(state: State, at: Place): string | undefined {
  if (at !== 'worktree') return at.lacks;
  const failed = installFault(state);
  return failed && installWords(failed.install);
}

export interface ServiceStart {
  /** The last one, or the first that did not come up. */
  service: Service;
  /** Undefined when all are up. */
  cause: Cause | undefined;
  /** The machine may have kept it down. */
  machine: boolean;
  log: string;
  exit: number | null;
  duration: number;
}

/** Seconds for the empty command; they count once the service is ready. */
const emptyTimeout = 10;

/** Starts services one after the other, probes whether each gets ready, and ends them with their sandbox. */
export async function startOnce(
  runner: Runner,
  services: readonly Service[],
  where: { at: Place; network: boolean },
  signal: AbortSignal,
): Promise<ServiceStart> {
  const done = await runner.run({ run: { command: ':' }, ...where, timeout: emptyTimeout, view: true, services }, signal);
  if (signal.aborted) throw new Interruption('cancelled', 'The sprint was stopped.');
  const service = services.find(({ name }) => name === done.dead?.name) ?? services.at(-1);
  if (!service) throw new Bug('no service to start');
  return {
    service,
    cause: whyDead(service, done),
    machine: !isGreen(done) && mayBeMachine(done),
    log: done.logs?.[service.name] ?? '',
    exit: done.dead?.exit ?? null,
    duration: done.duration,
  };
}

function whyDead(service: Service, { dead, exit, logs = {} }: Finished): Cause | undefined {
  if (dead) return causeOf(service, dead, logs[dead.name] ?? '');
  return exit === 0 ? undefined : { cause: 'exited', why: 'its sandbox was killed' };
}

/** Asks the person for external services that do not answer, also again after a fulfilled request, but never after a skip. */
export function askForServices({ work, ledger }: State, probes: readonly ServiceProbe[]): Fact[] {
  const dead = servicesOf(work).filter((s) => isExternal(s) && probes.some((p) => p.name === s.name && !p.up));
  return dead
    .filter((s) => (ledger.humanActions[serviceActionId(s)]?.status ?? 'fulfilled') === 'fulfilled')
    .map((s) => ({ fact: 'human-action.asked', humanAction: startDeed(s, ledger.started[s.name]) }));
}

function startDeed(service: Service, started: Started | undefined): HumanAction {
  const tried = started ? ` What became of it in Docker: ${started.why.replace(/\.$/, '')}.` : '';
  return deedOf({
    id: serviceActionId(service),
    action: `Start the service ${service.name}`,
    instructions: `Verifications require it, and nothing answers at ${readyWords(service)}.${tried} In your checkout: ${startWords(service)}`,
    command: probeCommand(service),
  });
}

/** A shell command that exits 0 when the service answers. It runs in the sandbox with the person's network. */
function probeCommand({ ready }: Service): string {
  if ('command' in ready) return ready.command;
  if ('tcp' in ready) return `bash -c '${holdsOn}' 127.0.0.1 ${ready.tcp}`;
  return `curl -q -s -f -o /dev/null -m 5 --noproxy '*' "${ready.http}"`;
}
