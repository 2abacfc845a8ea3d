/** Busy loops that make this machine a busy one. */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

/** Runs `use` beside two busy loops a core. */
export function besideHogs<T>(use: () => Promise<T>): Promise<T> {
  const hog: [string, string[]] = ['sh', ['-c', 'while :; do :; done']];
  return beside(
    Array.from({ length: 2 * availableParallelism() }, () => hog),
    use,
  );
}

/** Runs `use` beside these commands, and ends them. */
export async function beside<T>(commands: readonly (readonly [program: string, args: string[]])[], use: () => Promise<T>): Promise<T> {
  // A shell that reads to the end of its input ends each with this process, however that ends.
  const shell = ['-c', '"$@" & read -r _; kill -9 $!', 'sh'];
  const started = commands.map(([program, args]) => spawn('sh', [...shell, program, ...args], { stdio: ['pipe', 'ignore', 'ignore'] }));
  try {
    await delay(300);
    return await use();
  } finally {
    const ended = started.map((one) => new Promise((done) => one.once('close', done)));
    for (const { stdin } of started) stdin.end();
    await Promise.all(ended);
  }
}
