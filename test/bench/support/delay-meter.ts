// Owns the measuring of one thread's event loop from within: a timer that is due every few milliseconds, and how late it
// comes. Bundled into what runs in the extension host.

import { performance } from 'node:perf_hooks';

import { quantile, rounded } from './figures.ts';

const EVERY_MS = 5;

/** How late timers were, in milliseconds. */
export interface Delays {
  readonly max: number;
  readonly p99: number;
  readonly ticks: number;
  /** Most processor time that this thread used between two ticks: a delay beyond it was waiting for a free core. Null where it cannot be told. */
  readonly busy: number | null;
}

export interface DelayMeter {
  /** Ends the measuring. */
  stop(): Delays;
}

export function startDelayMeter(): DelayMeter {
  const delays: number[] = [];
  let busy = 0;
  let due = performance.now() + EVERY_MS;
  let used = processorTime();
  const tick = (): void => {
    const now = performance.now();
    const usedNow = processorTime();
    delays.push(Math.max(0, now - due));
    busy = Math.max(busy, (usedNow ?? 0) - (used ?? 0));
    used = usedNow;
    due = performance.now() + EVERY_MS;
    timer = setTimeout(tick, EVERY_MS);
  };
  let timer = setTimeout(tick, EVERY_MS);
  return {
    stop: () => {
      clearTimeout(timer);
      // A block that lasts until now would be missed otherwise.
      delays.push(Math.max(0, performance.now() - due));
      const measured = { max: rounded(Math.max(...delays)), p99: rounded(quantile(delays, 0.99)), ticks: delays.length };
      return { ...measured, busy: used === undefined ? null : rounded(busy) };
    },
  };
}

/** Milliseconds that this thread ran; Node knows since 22.19 and 23.9. */
function processorTime(): number | undefined {
  const { threadCpuUsage } = process as { threadCpuUsage?: () => { user: number; system: number } };
  if (threadCpuUsage === undefined) return undefined;
  const { user, system } = threadCpuUsage.call(process);
  return (user + system) / 1000;
}
