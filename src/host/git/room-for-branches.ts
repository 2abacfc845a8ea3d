/** Git keeps branches as paths, so it has no `loop/x` beside a branch `loop`. */
import { InputError } from '../../engine/ground/errors.ts';
import type { Git } from './git.ts';

/** @throws InputError where Loop can make no branch of its own. */
export async function requireRoomForBranches(git: Git): Promise<void> {
  if (!(await git.test(['show-ref', '--verify', '--quiet', 'refs/heads/loop']))) return;
  throw new InputError(
    'The repository has a branch "loop", and git can then have none of the name loop/…, as those of Loop are.',
    'Rename it: git branch -m loop NEWNAME',
  );
}
