/** Finds and ends the launchers' processes (docs/decisions/0024). */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Process ids of the launchers that a process started. */
export function launchersOf(parent: number): number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  const processes = lines.map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)/.exec(line)).filter((match) => match !== null);
  return processes
    .filter(([, , from, args]) => Number(from) === parent && args?.includes('dist/launcher.js'))
    .map(([, pid]) => Number(pid));
}

/** Ends idle launchers, because a launcher keeps the environment of the earlier test that started it. */
export async function endIdleLaunchers(): Promise<void> {
  const idle = launchersOf(process.pid);
  for (const pid of idle) process.kill(pid, 'SIGKILL');
  // Until this process has heard of it, it would give a dead launcher the next call.
  while (idle.some((pid) => existsSync(`/proc/${pid}`))) await delay(20);
}
