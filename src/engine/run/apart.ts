/**
 * Runs verifications in scratch checkouts of one tree. All share one checkout; where any of them wrote into it, each script
 * runs once more in a checkout of its own, so no verification can make another pass. A dead service makes a verification red
 * here: such a checkout must have everything that its services need.
 */
import type { ServiceProbe } from '../work/service.ts';
import { isScript, requiresOf, type Run, type Runnable } from '../work/verification.ts';
import { runVerifications, type Batch } from './batch.ts';
import type { Ground } from './ground.ts';
import { prepared } from './prepared.ts';
import { recordDead } from './record.ts';
import { probeServices } from './probe-services.ts';

/** `onRun` gets both runs of a script that ran once more in a checkout of its own; the second counts. */
export async function runApart(ground: Ground, batch: Omit<Batch, 'at'>): Promise<Run[]> {
  const { repo } = ground.ports;
  const together = await prepared(ground, { revert: [] }, async (at) => {
    const before = await repo.fingerprint(at);
    const runs = await runWithServices(ground, { ...batch, at });
    return { runs, wrote: (await repo.fingerprint(at)) !== before };
  });
  // A suite always runs in a checkout of its own.
  const scripts = batch.verifications.filter(isScript);
  if (!together.wrote || scripts.length < 2) return together.runs;
  const latest = new Map(together.runs.map((run) => [run.verification, run]));
  for (const script of scripts) {
    if (ground.signal.aborted) break;
    const alone = { ...batch, verifications: [script] };
    const [run] = await prepared(ground, { revert: [] }, (at) => runWithServices(ground, { ...alone, at }));
    if (run) latest.set(script.id, run);
  }
  return [...latest.values()];
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
