/**
 * Mends a service that is down and needed: one session for the service, however many verifications wait for it. When a module
 * is missing, the install runs once more first, without a model (I11). The change is settled like any fix. A service that comes
 * up again is no milestone (I5).
 */
import type { Context } from '../context.ts';
import { renderServiceHistory } from '../render/service-history.ts';
import { probeService } from '../run/probe-services.ts';
import { serviceLineage, type Service } from '../work/service.ts';
import { readyWords, startWords } from '../services/service-words.ts';
import { dependants, isOurFault, probeOf, servicesOf, serviceTank, startOf } from '../services/services.ts';
import { isForQc } from '../diagnose/declaration.ts';
import { deedForLineage } from '../judge/blocker.ts';
import { canBurn, hasBurned, tank } from '../state/fuel.ts';
import type { Tank } from '../state/events.ts';
import type { State } from '../state/state.ts';
import type { Fact } from '../work/facts.ts';
import type { Action } from './action.ts';
import type { Due } from '../core/decide.ts';
import { captureFix, tidy } from './change.ts';
import { installInWorktree } from '../run/installs.ts';
import { knownInstalls } from '../run/prepared.ts';
import { unreportedFacts, runSession } from './session-action.ts';

export const serviceFix: Action = {
  id: 'service-fix',
  asksModel: true,
  afterQualifying: true,
  due(state) {
    return servicesOf(state.work)
      .filter((s) => isOurFault(state, s) && !isWithOthers(state, serviceLineage(s.name)))
      .map((s) => dueFor(state, s));
  },
  async run(target, context) {
    const { state, open } = context;
    const service = servicesOf(state.work).find((s) => s.name === target);
    if (!service) return [];
    if (hasBurned(open.decision, installTank(state, service))) return reinstall(context, service);
    const end = await runSession(context, { prompt: 'service-fix', values: valuesOf(state, service) });
    const lineage = serviceLineage(target);
    const changed = await captureFix(context, { kind: 'fix', lineage, verification: lineage, also: [] });
    return [...changed, ...unreportedFacts(end, () => [])];
  },
};

/** The person mends its environment, or QC looks at how it is declared. */
function isWithOthers(state: State, lineage: string): boolean {
  return deedForLineage(state, lineage) !== undefined || isForQc(state, lineage);
}

function dueFor(state: State, service: Service): Due {
  const { name } = service;
  const probe = probeOf(state, name);
  const why = `service ${name} is down: ${probe?.why ?? ''}`;
  const retry = installTank(state, service);
  const mayInstall = probe?.cause === 'missing-module' && knownInstalls(state).length > 0 && canBurn(state.ledger, [retry]);
  if (mayInstall) return { target: name, burns: [retry], why: `${why}; dependencies are installed again` };
  return { target: name, burns: [serviceTank(service)], why };
}

/** One install for each service and code number. */
function installTank({ work }: State, { name }: Service): Tank {
  return tank('reinstall', `${name}@${work.tree.code}`);
}

async function reinstall(context: Context, service: Service): Promise<Fact[]> {
  await installInWorktree(context, 'all');
  const probe = await probeService(context, service, { at: 'worktree', code: context.state.work.tree.code });
  await tidy(context, null);
  return [{ fact: 'service.probed', probe }];
}

function valuesOf(state: State, service: Service): Record<string, string> {
  const probe = probeOf(state, service.name);
  const before = startOf(state, service).slice(0, -1);
  return {
    service: `${service.name}${before.length === 0 ? '' : ` (started behind ${before.map(({ name }) => name).join(' and ')})`}`,
    start: startWords(service),
    ready: `${readyWords(service)}, within ${service.limit} s`,
    cause: probe ? `${probe.cause ?? 'unknown'}: ${probe.why}` : 'unknown',
    log: probe?.excerpt.trim() || 'It printed nothing.',
    verifications: dependants(state, service)
      .map(({ id, title }) => `- ${id}: ${title}`)
      .join('\n'),
    history: renderServiceHistory(state, service.name),
  };
}
