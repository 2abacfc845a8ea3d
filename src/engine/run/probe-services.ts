/**
 * Looks whether services come up, before the checks that require them are run (spec/2, change 3): each one once, alone, in a
 * sandbox of its own, all at the same time. A dead one is one fact and one failure, however many checks wait for it.
 */
import { Interruption } from '../ground/errors.ts';
import type { AbortSignal, Runner } from '../ports.ts';
import type { Finished, Place } from '../work/job.ts';
import type { State } from '../state/state.ts';
import { excerpt } from '../ground/text.ts';
import { deedOf, type HumanAction } from '../work/human-action.ts';
import { requiresOf, type Runnable } from '../work/verification.ts';
import type { Ground } from './ground.ts';
import type { Fact } from '../work/facts.ts';
import type { Service, ServiceProbe, Started } from '../work/service.ts';
import { holdsOn, isExternal, readyWords, startWords } from '../services/service-words.ts';
import { causeOf, type Cause } from '../diagnose/service-cause.ts';
import { requiredBy, serviceActionId, servicesOf } from '../services/services.ts';

export interface Probing {
  verifications: readonly Runnable[];
  at: Place;
  /** Code number that the probes count for; null when that is decided later or never. */
  code: number | null;
}

/** Characters of a log that a journal line keeps. */
const kept = 4000;

/** @returns every service that these checks require as it was seen, and the checks that can be run. */
export async function probeServices(
  ground: Ground,
  { verifications, at, code }: Probing,
): Promise<{ probes: ServiceProbe[]; ready: Runnable[] }> {
  const { work } = ground.state;
  const needed = servicesOf(work).filter((s) => verifications.some((c) => requiresOf(c).includes(s.name)));
  const probes = await Promise.all(needed.map((service) => probeService(ground, service, { at, code })));
  const dead = new Set(probes.filter((p) => !p.up).map((p) => p.name));
  return { probes, ready: verifications.filter((c) => !requiredBy(work, c).some((s) => dead.has(s.name))) };
}

/** One look at one service. */
export async function probeService(
  { state, ports, signal }: Ground,
  service: Service,
  { at, code }: Pick<Probing, 'at' | 'code'>,
): Promise<ServiceProbe> {
  const seen = await startOnce(ports.runner, service, { at, network: state.config.network === 'all' }, signal);
  const { name, cause, log, exit, duration } = seen;
  const why = cause?.why ?? '';
  ports.progress({ kind: 'note', text: cause ? `service ${name} is down: ${why}` : `service ${name} is up` });
  const said = { why, output: await ports.payloads.put(log), excerpt: excerpt(log, kept) };
  return { name, code, up: !cause, ...(cause ? { cause: cause.cause } : {}), ...said, exit, duration: Math.round(duration) };
}

export interface ServiceStart {
  name: string;
  /** Undefined where it is up. */
  cause: Cause | undefined;
  log: string;
  exit: number | null;
  duration: number;
}

/** Seconds that nothing at all may take. */
const nothing = 10;

/** Starts a service, asks whether it is ready, and lets it go with its sandbox. */
export async function startOnce(
  runner: Runner,
  service: Service,
  where: { at: Place; network: boolean },
  signal: AbortSignal,
): Promise<ServiceStart> {
  const done = await runner.run({ run: { command: ':' }, ...where, timeout: nothing, services: [service] }, signal);
  if (signal.aborted) throw new Interruption('cancelled', 'The sprint was stopped.');
  const { name } = service;
  return {
    name,
    cause: whyDead(service, done),
    log: done.logs?.[name] ?? '',
    exit: done.dead?.exit ?? null,
    duration: done.duration,
  };
}

function whyDead(service: Service, { dead, exit, logs = {} }: Finished): Cause | undefined {
  if (dead) return causeOf(service, dead, logs[dead.name] ?? '');
  return exit === 0 ? undefined : { cause: 'exited', why: 'its sandbox was killed' };
}

/** Asks the person for services on their machine that nothing answers for, and again for what they started: not for what they are being asked for or declined. */
export function askForServices({ work, ledger }: State, probes: readonly ServiceProbe[]): Fact[] {
  const dead = servicesOf(work).filter((s) => isExternal(s) && probes.some((p) => p.name === s.name && !p.up));
  return dead
    .filter((s) => (ledger.humanActions[serviceActionId(s)]?.status ?? 'fulfilled') === 'fulfilled')
    .map((s) => ({ fact: 'human-action.asked', humanAction: deedFor(s, ledger.started[s.name]) }));
}

function deedFor(service: Service, started: Started | undefined): HumanAction {
  const tried = started ? ` What became of it in Docker: ${started.why.replace(/\.$/, '')}.` : '';
  return deedOf({
    id: serviceActionId(service),
    action: `Start the service ${service.name}`,
    instructions: `Verifications require it, and nothing answers at ${readyWords(service)}.${tried} In your checkout: ${startWords(service)}`,
    command: lookCommand(service),
  });
}

/** Tells in the sandbox, whose network is the person's, whether it answers now. */
function lookCommand({ ready }: Service): string {
  if ('command' in ready) return ready.command;
  if ('tcp' in ready) return `bash -c '${holdsOn}' 127.0.0.1 ${ready.tcp}`;
  return `curl -q -s -f -o /dev/null -m 5 --noproxy '*' "${ready.http}"`;
}
