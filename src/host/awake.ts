/**
 * Keeps this machine from going to sleep by itself, by systemd's inhibitor locks (systemd-inhibit(1)). A lid that is closed and a
 * person who suspends the machine are obeyed.
 */
import { execFile, spawn } from 'node:child_process';
import { homedir } from 'node:os';

const words = ['--what=idle:sleep', '--who=Loop', '--why=A sprint or a pipeline runs', '--mode=block'];
const tryMs = 5000;

/** Whether this machine can be kept awake: it cannot in a container, or without systemd. */
export function canKeepAwake(): Promise<boolean> {
  return new Promise((resolve) => {
    execFile('systemd-inhibit', [...words, 'true'], { cwd: homedir(), timeout: tryMs }, (error) => resolve(error === null));
  });
}

/** The lock ends with its program, which waits for the end of its input: so it outlives this process by nothing, however that ends. */
export function keepAwake(): () => void {
  const holder = spawn('systemd-inhibit', [...words, 'cat'], { cwd: homedir(), stdio: ['pipe', 'ignore', 'ignore'] });
  const ignore = (): void => undefined;
  holder.on('error', ignore).unref();
  holder.stdin.on('error', ignore);
  return () => holder.stdin.end();
}
