/** Prepares places to work in: makes the worktree's installs in a scratch checkout too. */
import type { ScratchSpec, WriteFiles } from '../ports.ts';
import type { State } from '../state/state.ts';
import { installsOf } from '../parse/install-command.ts';
import { readBy } from '../parse/manifests.ts';
import { installFaults } from '../judge/install-fault.ts';
import { installKey, installWords, type Install } from '../work/install.ts';
import type { Place } from '../work/job.ts';
import type { Ground } from './ground.ts';
import { installAgain } from './installs.ts';

/**
 * Runs `use` in a scratch checkout with the worktree's installs. Where one of them fails there, what is red has no result: the place
 * says what it lacks. It does not where the checkout is without the files that this install reads, since they are the work's.
 */
export function prepared<T>(ground: Ground, spec: ScratchSpec, use: (at: Place, write: WriteFiles) => Promise<T>): Promise<T> {
  return ground.ports.repo.scratch(spec, async (at, write) => {
    const lacking: Install[] = [];
    const explains = new Set(installFaults(ground.state).map(({ install }) => installKey(install)));
    const takenOut = pathsIn(ground.state, spec.revert).map((path) => ({ path, text: '' }));
    for (const install of knownInstalls(ground.state)) {
      const { exit } = await installAgain(ground, install, at, '');
      if (exit === 0) continue;
      const isMade = hasWorked(ground.state, install) && (readBy(install, takenOut).length === 0 || isMended(ground.state, install));
      if (isMade || explains.has(installKey(install))) lacking.push(install);
    }
    const keep = mendedManifests(ground.state, spec, lacking);
    if (keep.length > 0) return prepared(ground, { ...spec, keep }, use);
    const [first] = lacking;
    return use(first && at !== 'worktree' ? { ...at, lacks: installWords(first) } : at, write);
  });
}

/**
 * Manifests that the work changed, of installs that work with them and not as they were before it: with them the checkout is what it
 * would have been, had the repository been installable. What the work made is not there without it.
 */
function mendedManifests(state: State, { of, revert, keep }: ScratchSpec, lacking: readonly Install[]): string[] {
  if (keep || (of !== 'base' && revert.length === 0)) return [];
  return [...new Set(lacking.filter((one) => hasWorked(state, one)).flatMap((one) => changedManifests(state, one)))];
}

/** Those that were there before the work, and are there still. */
function changedManifests({ work }: State, install: Install): string[] {
  const files = work.tree.commits.flatMap((commit) => commit.files);
  const others = new Set(files.flatMap(({ path, kind }) => (kind === 'modified' ? [] : [path])));
  const changed = files.filter(({ path }) => !others.has(path)).map(({ path }) => ({ path, text: '' }));
  return readBy(install, changed).map(({ path }) => path);
}

function hasWorked({ ledger }: State, install: Install): boolean {
  return ledger.installs[installKey(install)]?.exit === 0;
}

/** It failed before the work, which changed what was there: without it, too, its failure is no sign of what the work does. */
function isMended(state: State, install: Install): boolean {
  const first = state.ledger.installsMade.find((one) => installKey(one.install) === installKey(install) && !one.forgotten);
  return first !== undefined && first.exit !== 0 && changedManifests(state, install).length > 0;
}

function pathsIn({ work }: State, commits: readonly string[]): string[] {
  return work.tree.commits.flatMap(({ commit, files }) => (commits.includes(commit) ? files.map(({ path }) => path) : []));
}

/** The worktree's installs; where none was made, the one that discovery named. */
export function knownInstalls({ ledger, work }: State): Install[] {
  const made = Object.values(ledger.installs).map(({ install: one }) => one);
  return made.length > 0 ? made : installsOf(work.context?.install ?? '');
}
