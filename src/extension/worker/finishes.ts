/** The finishes and pull requests that are going on, so that the person can stop them. */
import { finishSprint } from '../../host/finish-sprint.ts';
import { openPullRequest } from '../../host/pull-request.ts';
import { createStop } from '../../host/stop.ts';
import type { Requests } from '../protocol.ts';

export class Finishes {
  private readonly running = new Map<AbortController, string>();

  /** @throws InputError, Interruption: then nothing was changed. */
  run({ sprintDir, how }: Requests['finish']['params']): Promise<Requests['finish']['result']> {
    return this.stoppable(sprintDir, (signal) => finishSprint(sprintDir, how, signal));
  }

  /** @throws InputError, Interruption: then the branch is kept. */
  requestPull({ sprintDir }: Requests['pull-request']['params']): Promise<Requests['pull-request']['result']> {
    return this.stoppable(sprintDir, (signal) => openPullRequest(sprintDir, signal));
  }

  private async stoppable<T>(sprintDir: string, carryOut: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const stopper = createStop();
    this.running.set(stopper, sprintDir);
    try {
      return await carryOut(stopper.signal);
    } finally {
      this.running.delete(stopper);
    }
  }

  stop(sprintDir: string): void {
    for (const [stopper, dir] of this.running) if (dir === sprintDir) stopper.abort();
  }
}
