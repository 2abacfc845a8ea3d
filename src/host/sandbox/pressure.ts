/** How busy this machine is, as the kernel tells it (pressure stall information, Linux 4.20). */
import { readFileSync } from 'node:fs';
import type { Pressure } from '../../engine/work/job.ts';

/** Empty where the kernel does not tell. */
export function pressure(): Pressure {
  return { ...stalled('cpu'), ...stalled('io'), ...stalled('memory') };
}

/** Processes that the kernel has killed since the start of this machine, because memory was short. */
export function killedForMemory(): number {
  return Number(/^oom_kill (\d+)$/m.exec(textOf('/proc/vmstat'))?.[1] ?? 0);
}

function stalled(what: keyof Pressure): Pressure {
  const share = /^some avg10=([\d.]+)/m.exec(textOf(`/proc/pressure/${what}`))?.[1];
  return share === undefined ? {} : { [what]: Number(share) };
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
