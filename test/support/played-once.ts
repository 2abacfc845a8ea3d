/** Sprints that several tests go on from. Each is played once in a process. */
import assert from 'node:assert/strict';
import type { State } from '../../src/engine/state/state.ts';
import { honest } from './greeter.ts';
import { keep, putBack, type Kept } from './kept.ts';
import { ground, run, type Ground } from './sprint.ts';

/**
 * @returns what gives the sprint that `play` plays: whoever asks finds all of it as it was then, in the same place. The one before
 *   has to be disposed of, since there is one place.
 */
export function playedOnce<T extends { at: Ground }>(play: () => Promise<T>): () => Promise<T> {
  let played: { sprint: T; kept: Kept[] } | undefined;
  return async () => {
    if (!played) {
      const sprint = await play();
      played = { sprint, kept: await keep(sprint.at.folder) };
      return sprint;
    }
    const { sprint, kept } = played;
    await putBack(sprint.at.folder, kept);
    process.env['LOOP_STATE_HOME'] = `${sprint.at.folder}/state`;
    const worktrees = sprint.at.git('worktree', 'list', '--porcelain').matchAll(/^worktree (.*)$/gm);
    // The indexes still know the files that were kept.
    for (const [, worktree = ''] of worktrees) sprint.at.git('-C', worktree, 'status', '--porcelain');
    return sprint;
  };
}

/** The honest sprint, delivered. */
export const delivered = playedOnce<{ at: Ground; state: State }>(async () => {
  const at = await ground(honest);
  const { ending, state } = await run(at, honest);
  assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
  return { at, state };
});
