/** Verifications that the person runs by hand; the sprint's lock allows one such run at a time. */
import { InputError } from '../../engine/ground/errors.ts';
import { createStop } from '../../host/stop.ts';
import { verifySprint } from '../../host/verify-sprint.ts';
import { byHandView, type ByHand } from '../../views/model/history-view.ts';
import { verifiedView } from '../../views/model/test-report.ts';
import { t } from '../../views/words.ts';
import type { FromWorker, Requests } from '../protocol.ts';

export class RunsByHand {
  private readonly running = new Map<AbortController, string>();

  /** The last result of each, by sprint and verification: kept while this window is open, and nowhere else. */
  private readonly results = new Map<string, ByHand>();

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
          if (stopper.signal.aborted) return;
          this.results.set(keyOf(sprintDir, result.id), byHandView(result, Date.now()));
          this.post({ type: 'verified', sprintDir, result: verifiedView(result) });
        },
      });
      return null;
    } finally {
      this.running.delete(stopper);
    }
  }

  /** @throws InputError at once, where whoever wants the sprint's lock would wait for this very window. */
  requireNone(sprintDir: string): void {
    if (![...this.running.values()].includes(sprintDir)) return;
    const [message, next] = [t('Verifications of this sprint are running in this window.'), t('Wait until they end, or cancel them.')];
    throw new InputError(message, next);
  }

  lastOf(sprintDir: string, verification: string): ByHand | null {
    return this.results.get(keyOf(sprintDir, verification)) ?? null;
  }

  stop(sprintDir: string): void {
    for (const [stopper, dir] of this.running) if (dir === sprintDir) stopper.abort();
  }
}

function keyOf(sprintDir: string, verification: string): string {
  return `${sprintDir}\n${verification}`;
}
