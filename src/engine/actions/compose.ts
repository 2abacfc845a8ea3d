/**
 * Services on the person's machine: started once where they allowed it, as an effect with a key, and stopped when the sprint
 * is over if it was Loop that started them (I2). Where they did not, they are asked to start them (`verify/probe`).
 */
import type { Context } from '../context.ts';
import { servicesOf } from '../verify/services.ts';
import type { Fact } from '../work/facts.ts';
import type { Service } from '../work/service.ts';

const ours = 'started';

export async function startCompose(context: Context): Promise<Fact[]> {
  const { state, ports, signal } = context;
  if (!state.config.docker || state.config.network !== 'all') return [];
  const facts: Fact[] = [];
  for (const { name, start } of composed(context)) {
    const effect = { name: 'compose-up', key: name, detail: `docker compose up ${start.compose}` };
    const why = await context.effect(effect, {
      async run() {
        const up = await ports.docker.up(start, signal);
        const said = up.problem ?? (up.ours ? ours : 'it was running');
        ports.progress({ kind: 'note', text: `service ${name}: ${said}` });
        return said;
      },
    });
    facts.push({ fact: 'service.started', name, ours: why === ours, why });
  }
  return facts;
}

export async function stopCompose(context: Context): Promise<void> {
  const { started = {} } = context.state.ledger;
  for (const { name, start } of composed(context).filter((s) => started[s.name])) {
    const effect = { name: 'compose-stop', key: name, detail: `docker compose stop ${start.compose}` };
    await context.effect(effect, { run: async () => (await context.ports.docker.stop(start)) ?? 'stopped' });
  }
}

function composed({ state }: Context): (Pick<Service, 'name'> & { start: { compose: string; file: string } })[] {
  return servicesOf(state.work).flatMap(({ name, start }) => ('compose' in start ? [{ name, start }] : []));
}
