/** The launchers' processes (docs/decisions/0024) as the system lists them. */
import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

/** Those that a process started, by number. */
export function launchersOf(parent: number): number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  const all = lines.map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)/.exec(line)).filter((found) => found !== null);
  return all.filter(([, , from, args]) => Number(from) === parent && args?.includes('dist/launcher.js')).map(([, pid]) => Number(pid));
}

/** A launcher keeps the environment in which it was started, by a test that ran before: the next one has that of now. */
export async function endIdleLaunchers(): Promise<void> {
  for (const pid of launchersOf(process.pid)) process.kill(pid, 'SIGKILL');
  while (launchersOf(process.pid).length > 0) await delay(20);
}
