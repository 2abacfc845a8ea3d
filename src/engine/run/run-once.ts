/** Runs one verification once: a script where it is told to, a suite in a checkout of its own. */
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

export async function runOnce(ground: Ground, verification: Runnable, { at, where }: Where): Promise<Finished> {
  const { state, ports, signal } = ground;
  const script = await ports.payloads.get(verification.script);
  const run = { script, ext: verification.ext, name: scriptName(verification) };
  const job = { run, timeout: verification.timeout, network: state.config.network === 'all' };
  if (verification.kind === 'suite')
    return prepared(ground, specOf(verification, where), (own) => ports.runner.run({ ...job, at: own }, signal));
  const services = requiredBy(state.work, verification);
  return ports.runner.run({ ...job, at, ...(services.length > 0 ? { services } : {}) }, signal);
}

/** Test files as they were before the sprint: what a builder made of them does not count, for or against (I10). */
function specOf({ files, without }: Suite, where: Run['where']): ScratchSpec {
  return { revert: [], of: checkouts[where], tests: { files, without } };
}

/** `tree`: the change that is being judged; `clean`: what is committed; `revert`: the sprint's work is out, which is the base. */
const checkouts = { tree: 'change', clean: 'commit', revert: 'base' } as const satisfies Record<Run['where'], ScratchSpec['of']>;
