/** Prepares places to work in: installs the dependencies that discovery named, in the worktree and in every scratch checkout alike. */
import { Interruption } from '../ground/errors.ts';
import type { ScratchSpec, WriteFiles } from '../ports.ts';
import type { Place } from '../work/job.ts';
import type { Ground } from './ground.ts';

/** Seconds. */
const installTimeout = 600;

/** Runs `use` in a scratch checkout that is prepared as the worktree was. */
export function prepared<T>(ground: Ground, spec: ScratchSpec, use: (at: Place, write: WriteFiles) => Promise<T>): Promise<T> {
  return ground.ports.repo.scratch(spec, async (at, write) => {
    await install(ground, at);
    return use(at, write);
  });
}

/**
 * Runs the install command that discovery named. A failed install stops nothing: agents and verifications meet the same failure
 * in that place, with its cause.
 * @returns what happened, in words; empty when there is nothing to install.
 */
export async function install({ state, ports, signal }: Ground, at: Place): Promise<string> {
  const command = state.work.context?.install ?? '';
  if (command === '') return '';
  const network = state.config.network !== 'none';
  const done = await ports.runner.run({ run: { command }, at, timeout: installTimeout, network }, signal);
  if (signal.aborted) throw new Interruption('cancelled', 'The sprint was stopped.');
  const status = `${command}: exit status ${done.exit ?? 'none, it was killed'}`;
  ports.progress({ kind: 'note', text: status });
  return `${status}, output ${await ports.payloads.put(done.output)}`;
}
