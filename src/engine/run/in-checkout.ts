/**
 * Runs verifications in a scratch checkout. A dead service makes a verification red here: such a checkout must have everything that
 * its services need.
 */
import type { ServiceProbe } from '../work/service.ts';
import { requiresOf, type Run, type Runnable } from '../work/verification.ts';
import { runVerifications, type Batch } from './batch.ts';
import type { Ground } from './ground.ts';
import { prepared } from './prepared.ts';
import { recordDead } from './record.ts';
import { probeServices } from './probe-services.ts';

export function runInCheckout(ground: Ground, batch: Omit<Batch, 'at'>): Promise<Run[]> {
  return prepared(ground, { revert: [] }, (at) => runWithServices(ground, { ...batch, at }));
}

async function runWithServices(ground: Ground, batch: Batch): Promise<Run[]> {
  const { probes, ready } = await probeServices(ground, { ...batch, code: null });
  const runs = await runVerifications(ground, { ...batch, verifications: ready });
  const dead = batch.verifications.flatMap((verification) => {
    const probe = probes.find((p) => !p.up && requiresOf(verification).includes(p.name));
    return probe ? [{ verification, probe }] : [];
  });
  const red = await Promise.all(dead.map(({ verification, probe }) => deadRun(ground, verification, batch, probe)));
  return [...runs, ...red];
}

async function deadRun(ground: Ground, verification: Runnable, { where, code, onRun }: Batch, probe: ServiceProbe): Promise<Run> {
  const run = await recordDead(ground, verification, { where, code }, probe);
  onRun?.(run);
  return run;
}
