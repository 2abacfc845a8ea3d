/**
 * Services in the person's own Docker. Where they allowed it, Loop starts these once, as effects with a key, and stops its own
 * at the sprint's end (I2). Otherwise it asks the person to start them (`run/probe-services.ts`).
 */
import * as z from 'zod';
import type { Context } from '../context.ts';
import type { Effect } from '../state/events.ts';
import type { State } from '../state/state.ts';
import { startOnce } from '../run/probe-services.ts';
import { composed, startedByLoop, type Composed } from '../services/services.ts';
import type { Fact } from '../work/facts.ts';
import type { Service } from '../work/service.ts';

/** Services of the compose file: those that run, or those that were started. */
const outcome = z.object({ names: z.array(z.string()), problem: z.string().optional() });
type Outcome = z.infer<typeof outcome>;

/** Milliseconds between two probes of a service that was started and does not answer yet. */
const betweenProbes = 500;

export async function startCompose(context: Context): Promise<Fact[]> {
  const { state, ports } = context;
  if (!state.config.docker || state.config.network !== 'all') return [];
  const facts: Fact[] = [];
  for (const service of composed(state.work)) {
    const { name, start } = service;
    const { names, problem } = await startOne(context, service);
    const ours = names.includes(start.compose);
    const why = problem ?? (ours ? 'started' : 'it was running');
    ports.progress({ kind: 'note', text: `service ${name}: ${why}` });
    if (ours) await untilItAnswers(context, service);
    facts.push({ fact: 'service.started', name, ours, why, beside: names.filter((n) => n !== start.compose) });
  }
  return facts;
}

/** The person allowed Docker after the worktree was prepared, and there are services that Loop did not try to start since. */
export function isComposeDue(state: State): boolean {
  const { docker, network } = state.config;
  const { started } = state.ledger;
  return docker && network === 'all' && composed(state.work).some(({ name }) => started[name] === undefined);
}

export async function stopCompose(context: Context): Promise<void> {
  for (const { name, file, names } of startedByLoop(context.state)) {
    const effect = { name: 'compose-stop', key: name, detail: `docker compose stop ${names.join(' ')}` };
    await context.effect(effect, { run: async () => (await context.ports.docker.stop(file, names)) ?? 'stopped' });
  }
}

/** Journals first what ran before: after a crash that still shows which services are the person's. @returns what Loop started. */
async function startOne(context: Context, { name, start }: Composed): Promise<Outcome> {
  const { ports, signal } = context;
  const list = { name: 'compose-look', key: name, detail: `docker compose ps, before ${start.compose} is started` };
  const before = await outcomeOf(context, list, () => ports.docker.running(start.file, signal));
  if (before.problem !== undefined) return { names: [], problem: before.problem };
  if (before.names.includes(start.compose)) return { names: [] };
  const up = { name: 'compose-start', key: name, detail: `docker compose up ${start.compose}` };
  return await outcomeOf(context, up, () => bringUp(context, start, before.names));
}

/** A service that did not come up, or was interrupted by a stop, is not left half started. */
async function bringUp({ ports, signal }: Context, start: Composed['start'], before: readonly string[]): Promise<Outcome> {
  const problem = await ports.docker.up(start, signal);
  const after = await ports.docker.running(start.file);
  const names = [...new Set([start.compose, ...after.names.filter((n) => !before.includes(n))])];
  if (problem === undefined) return { names };
  await ports.docker.stop(start.file, names);
  return { names: [], problem };
}

/** Without a health check a container runs before its service answers. */
async function untilItAnswers({ ports, signal }: Context, service: Service): Promise<void> {
  const end = ports.clock.now() + service.limit * 1000;
  const where = { at: 'worktree' as const, network: true };
  while ((await startOnce(ports.runner, [service], where, signal)).cause && ports.clock.now() < end)
    await ports.clock.sleep(betweenProbes, signal);
}

/** Makes an effect whose outcome is more than one text. */
async function outcomeOf(context: Context, effect: Effect, run: () => Promise<Outcome>): Promise<Outcome> {
  const text = await context.effect(effect, { run: async () => JSON.stringify(await run()) });
  return outcome.parse(JSON.parse(text));
}
