/**
 * Services on the person's machine: started once where they allowed it, as effects with a key, and stopped when the sprint
 * is over if it was Loop that started them (I2). Where they did not, they are asked to start them (`verify/probe`).
 */
import { z } from 'zod';
import type { Context } from '../context.ts';
import type { Effect } from '../state/events.ts';
import type { State } from '../state/state.ts';
import { startOnce } from '../run/probe-services.ts';
import { composed, startedByLoop, type Composed } from '../services/services.ts';
import type { Fact } from '../work/facts.ts';
import type { Service } from '../work/service.ts';

/** Names in the compose file: what runs, or what was started. */
const outcome = z.object({ names: z.array(z.string()), problem: z.string().optional() });
type Outcome = z.infer<typeof outcome>;

/** Milliseconds from one look to the next, for what was started and does not answer yet. */
const betweenLooks = 500;

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

/** Leave came after the worktree was prepared, and there are services for which it was not used. */
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

/** What ran before is on disk first: after a crash it still tells what is the person's. @returns what Loop started. */
async function startOne(context: Context, { name, start }: Composed): Promise<Outcome> {
  const { ports, signal } = context;
  const look = { name: 'compose-look', key: name, detail: `docker compose ps, before ${start.compose} is started` };
  const before = await told(context, look, () => ports.docker.running(start.file, signal));
  if (before.problem !== undefined) return { names: [], problem: before.problem };
  if (before.names.includes(start.compose)) return { names: [] };
  const up = { name: 'compose-start', key: name, detail: `docker compose up ${start.compose}` };
  return await told(context, up, () => bringUp(context, start, before.names));
}

/** What did not come up, or was cut short by a stop, is not left half started. */
async function bringUp({ ports, signal }: Context, start: Composed['start'], before: readonly string[]): Promise<Outcome> {
  const problem = await ports.docker.up(start, signal);
  const after = await ports.docker.running(start.file);
  const names = [...new Set([start.compose, ...after.names.filter((n) => !before.includes(n))])];
  if (problem === undefined) return { names };
  await ports.docker.stop(start.file, names);
  return { names: [], problem };
}

/** An image without a health check runs before it answers. */
async function untilItAnswers({ ports, signal }: Context, service: Service): Promise<void> {
  const end = ports.clock.now() + service.limit * 1000;
  const where = { at: 'worktree' as const, network: true };
  while ((await startOnce(ports.runner, service, where, signal)).cause && ports.clock.now() < end)
    await ports.clock.sleep(betweenLooks, signal);
}

/** An effect whose outcome is more than a word. */
async function told(context: Context, effect: Effect, run: () => Promise<Outcome>): Promise<Outcome> {
  const text = await context.effect(effect, { run: async () => JSON.stringify(await run()) });
  return outcome.parse(JSON.parse(text));
}
