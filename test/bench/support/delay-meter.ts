/**
 * Measures the event loop of a thread from within: how late a timer comes that is due every few milliseconds. It is bundled into code
 * for the extension host.
 */
import { performance } from 'node:perf_hooks';

import { quantile, rounded } from './figures.ts';

const intervalMs = 5;

/** The delays of timers in milliseconds. */
export interface Delays {
  readonly max: number;
  readonly p99: number;
  readonly ticks: number;
  /**
   * The most processor time that this thread used between two ticks; a longer delay was a wait for a free core. Null where Node.js
   * cannot measure it.
   */
  readonly busy: number | null;
}

export interface DelayMeter {
  /** Ends the measurement. */
  stop(): Delays;
}

export function startDelayMeter(): DelayMeter {
  const delays: number[] = [];
  let busy = 0;
  let due = performance.now() + intervalMs;
  let used = processorTime();
  const tick = (): void => {
    const now = performance.now();
    const usedNow = processorTime();
    delays.push(Math.max(0, now - due));
    busy = Math.max(busy, (usedNow ?? 0) - (used ?? 0));
    used = usedNow;
    due = performance.now() + intervalMs;
    timer = setTimeout(tick, intervalMs);
  };
  let timer = setTimeout(tick, intervalMs);
  return {
    stop: () => {
      clearTimeout(timer);
      // Without this, a block that lasts until now would be missed.
      delays.push(Math.max(0, performance.now() - due));
      const measured = { max: rounded(Math.max(...delays)), p99: rounded(quantile(delays, 0.99)), ticks: delays.length };
      return { ...measured, busy: used === undefined ? null : rounded(busy) };
    },
  };
}

/** Milliseconds that this thread ran; available in Node.js from 22.19 and 23.9 on. */
function processorTime(): number | undefined {
  const { threadCpuUsage } = process as { threadCpuUsage?: () => { user: number; system: number } };
  if (threadCpuUsage === undefined) return undefined;
  const { user, system } = threadCpuUsage.call(process);
  return (user + system) / 1000;
}
