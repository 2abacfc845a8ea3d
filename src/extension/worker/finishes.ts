/** The finishes that are going on, so that the person can stop them. */
import { finishSprint } from '../../host/finish-sprint.ts';
import { createStop } from '../../host/stop.ts';
import type { Requests } from '../protocol.ts';

export class Finishes {
  private readonly running = new Map<AbortController, string>();

  /** @throws InputError, Interruption: then nothing was changed. */
  async run({ sprintDir, how }: Requests['finish']['params']): Promise<Requests['finish']['result']> {
    const stopper = createStop();
    this.running.set(stopper, sprintDir);
    try {
      return await finishSprint(sprintDir, how, stopper.signal);
    } finally {
      this.running.delete(stopper);
    }
  }

  stop(sprintDir: string): void {
    for (const [stopper, dir] of this.running) if (dir === sprintDir) stopper.abort();
  }
}
