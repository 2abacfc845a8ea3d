/** Simulated time. It passes only by what the world does, so it is the same in every run of a seed. */
import { Interruption } from '../../../src/engine/ground/errors.ts';
import type { AbortSignal, Clock } from '../../../src/engine/ports.ts';
import type { Fate } from './fate.ts';

export class SimulatedClock implements Clock {
  private time = 1_700_000_000_000;
  private readonly alarms: { at: number; ring: () => void }[] = [];

  constructor(private readonly fate: Fate) {}

  now(): number {
    return this.time;
  }

  pass(ms: number): void {
    this.time += Math.round(ms);
    while (this.alarms[0] && this.alarms[0].at <= this.time) this.alarms.shift()?.ring();
  }

  /** Resolves once that much time has passed by what others do. */
  until(ms: number): Promise<void> {
    return new Promise((ring) => {
      this.alarms.push({ at: this.time + ms, ring });
      this.alarms.sort((a, b) => a.at - b.at);
    });
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    this.pass(ms);
    if (signal.aborted) return Promise.reject(new Interruption('cancelled', 'stopped'));
    return this.fate.wake();
  }
}
