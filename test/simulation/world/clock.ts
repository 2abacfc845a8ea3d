/** Time that only passes when something takes it: the same in every run of the same seed. */
import { Interruption } from '../../../src/engine/errors.ts';
import type { AbortSignal, Clock } from '../../../src/engine/ports.ts';

export class SimulatedClock implements Clock {
  private time = 1_700_000_000_000;

  now(): number {
    return this.time;
  }

  pass(ms: number): void {
    this.time += Math.round(ms);
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    this.pass(ms);
    return signal.aborted ? Promise.reject(new Interruption('cancelled', 'stopped')) : Promise.resolve();
  }
}
