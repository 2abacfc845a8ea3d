/** Prepares places to work in: makes the worktree's installs in a scratch checkout too. */
import type { ScratchSpec, WriteFiles } from '../ports.ts';
import type { State } from '../state/state.ts';
import { installsOf } from '../parse/install-command.ts';
import type { Install } from '../work/install.ts';
import type { Place } from '../work/job.ts';
import type { Ground } from './ground.ts';
import { installUntilNotKilled } from './installs.ts';

/** Runs `use` in a scratch checkout that is prepared as the worktree was. */
export function prepared<T>(ground: Ground, spec: ScratchSpec, use: (at: Place, write: WriteFiles) => Promise<T>): Promise<T> {
  return ground.ports.repo.scratch(spec, async (at, write) => {
    for (const install of knownInstalls(ground.state)) await installUntilNotKilled(ground, install, at, '');
    return use(at, write);
  });
}

/** The worktree's installs; in a sprint of an older version, the one that discovery named. */
export function knownInstalls({ ledger, work }: State): Install[] {
  const made = Object.values(ledger.installs).map(({ install: one }) => one);
  return made.length > 0 ? made : installsOf(work.context?.install ?? '');
}
