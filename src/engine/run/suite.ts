/**
 * Runs a suite of the repository in a checkout of its own (I10: the worktree is not touched), with its test files as they were
 * before the sprint: what a builder made of them does not count, for or against.
 */
import { prepared } from './prepared.ts';
import type { Context } from '../context.ts';
import type { ScratchSpec } from '../ports.ts';
import type { Finished } from '../work/job.ts';
import type { Check, CheckRun } from '../work/check.ts';
import type { Guard } from '../work/suite.ts';

/** `tree`: the change that is being judged; `clean`: what is committed; `revert`: the sprint's work is out, which is the base. */
const checkouts = { tree: 'change', clean: 'commit', revert: 'base' } as const satisfies Record<
  CheckRun['where'],
  ScratchSpec['of']
>;

export async function runSuite(
  context: Context,
  check: Check,
  { guard, where }: { guard: Guard; where: CheckRun['where'] },
): Promise<Finished> {
  const { state, ports, signal } = context;
  const run = { script: await ports.payloads.get(check.script), ext: check.ext, name: check.id.replace('/', '-') };
  const network = state.config.network === 'all';
  const spec: ScratchSpec = { revert: [], of: checkouts[where], tests: guard };
  return prepared(context, spec, (at) => ports.runner.run({ run, at, timeout: check.timeout, network }, signal));
}
