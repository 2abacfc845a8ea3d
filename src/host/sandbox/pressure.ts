/** How busy this machine is, as the kernel tells it (pressure stall information, Linux 4.20). */
import type { Pressure } from '../../engine/work/job.ts';
import { tellsWaiting } from './given-time.ts';
import { textAt } from '../peek.ts';

/** Empty where the kernel does not tell. */
export function pressure(): Pressure {
  return { ...stalled('cpu'), ...stalled('io'), ...stalled('memory') };
}

/** Whether this system tells how busy it is, and how long a process waited for a CPU. */
export function tellsLoad(): boolean {
  return tellsWaiting() && Object.keys(pressure()).length > 0;
}

/** Processes that the kernel has killed since the start of this machine, because memory was short. */
export function killedForMemory(): number {
  return Number(/^oom_kill (\d+)$/m.exec(textAt('/proc/vmstat'))?.[1] ?? 0);
}

function stalled(what: keyof Pressure): Pressure {
  const share = /^some avg10=([\d.]+)/m.exec(textAt(`/proc/pressure/${what}`))?.[1];
  return share === undefined ? {} : { [what]: Number(share) };
}
