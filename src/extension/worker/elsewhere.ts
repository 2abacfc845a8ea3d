/** Which other process holds the lock of a sprint or of a pipeline's session; null if none does, or this process holds it. */
import { inspectLock } from '../../host/lock.ts';
import type { SprintView } from '../../views/model/sprint-view.ts';

export async function runsElsewhere(dir: string): Promise<SprintView['elsewhere']> {
  const lock = await inspectLock(dir);
  return lock && lock.holder !== process.pid ? { process: lock.holder ?? null } : null;
}
