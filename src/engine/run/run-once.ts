/** Runs one verification once: a script in the place that is given, a suite in a checkout of its own. */
import type { ScratchSpec } from '../ports.ts';
import { requiredBy } from '../services/services.ts';
import type { Finished, Place } from '../work/job.ts';
import { scriptName, type Run, type Runnable, type Suite } from '../work/verification.ts';
import type { Ground } from './ground.ts';
import { prepared } from './prepared.ts';

export interface Where {
  at: Place;
  where: Run['where'];
}

/** @param patience how many times its timeout, and its services' limits, it may take. */
export async function runOnce(ground: Ground, verification: Runnable, { at, where }: Where, patience = 1): Promise<Finished> {
  const { state, ports, signal } = ground;
  const script = await ports.payloads.get(verification.script);
  const run = { script, ext: verification.ext, name: scriptName(verification) };
  const job = { run, timeout: verification.timeout * patience, network: state.config.network === 'all', view: true };
  if (verification.kind === 'suite')
    return prepared(ground, specOf(verification, where), (own) => ports.runner.run({ ...job, at: own }, signal));
  const services = requiredBy(state.work, verification).map((service) => ({ ...service, limit: service.limit * patience }));
  return ports.runner.run({ ...job, at, ...(services.length > 0 ? { services } : {}) }, signal);
}

/** A suite runs with its test files from before the sprint: a builder's changes to them count neither for nor against the work (I8). */
function specOf({ files, without }: Suite, where: Run['where']): ScratchSpec {
  return { revert: [], of: checkouts[where], tests: { files, without } };
}

/** What a suite runs on. `tree`: the open change; `clean`: the last commit; `revert`: without the sprint's work, so the base commit. */
const checkouts = { tree: 'change', clean: 'commit', revert: 'base' } as const satisfies Record<Run['where'], ScratchSpec['of']>;
