/** Verifications that the person runs by hand; the sprint's lock allows one such run at a time. */
import { createStop } from '../../host/stop.ts';
import { verifySprint } from '../../host/verify-sprint.ts';
import { verifiedView } from '../../views/model/test-report.ts';
import type { FromWorker, Requests } from '../protocol.ts';

export class RunsByHand {
  private readonly running = new Map<AbortController, string>();

  constructor(private readonly post: (message: FromWorker) => void) {}

  /** @throws InputError when the sprint runs, here or elsewhere. */
  async run({ sprintDir, only }: Requests['verify']['params']): Promise<null> {
    const stopper = createStop();
    this.running.set(stopper, sprintDir);
    try {
      await verifySprint({
        sprintDir,
        only,
        signal: stopper.signal,
        onBegin: (verification) => this.post({ type: 'verifying', sprintDir, verification }),
        onResult: (result) => {
          // After a stop, a red result only means that the run was killed.
          if (!stopper.signal.aborted) this.post({ type: 'verified', sprintDir, result: verifiedView(result) });
        },
      });
      return null;
    } finally {
      this.running.delete(stopper);
    }
  }

  stop(sprintDir: string): void {
    for (const [stopper, dir] of this.running) if (dir === sprintDir) stopper.abort();
  }
}
