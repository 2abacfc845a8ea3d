/** Busy loops that make this machine a busy one. */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

/** Runs `use` beside two busy loops a core. */
export async function besideHogs<T>(use: () => Promise<T>): Promise<T> {
  const count = 2 * availableParallelism();
  const hogs = Array.from({ length: count }, () => spawn('sh', ['-c', 'while :; do :; done'], { stdio: 'ignore' }));
  try {
    await delay(300);
    return await use();
  } finally {
    for (const hog of hogs) hog.kill('SIGKILL');
  }
}
