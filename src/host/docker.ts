/**
 * The person's own Docker (design §8.1): asked only where they allowed it, and for the compose file of their own checkout,
 * which no agent writes. It runs outside of every sandbox.
 */
import { execFile } from 'node:child_process';
import type { Docker } from '../engine/ports.ts';
import { findIn } from './sandbox/places.ts';

/** Milliseconds; an image may have to be fetched first. */
const timeout = 900_000;

/** @param root the person's checkout; @param writable folders that agents write, from which no program is taken. */
export function createDocker(root: string, writable: string[]): Docker {
  const compose = (file: string, args: string[], signal?: AbortSignal): Promise<Said> => {
    const program = findIn((process.env['PATH'] ?? '').split(':'), 'docker', writable);
    if (program === undefined) return Promise.resolve({ ok: false, text: 'docker is not installed' });
    return run(program, ['compose', '-f', file, ...args], { cwd: root, timeout, signal });
  };
  return {
    async up({ compose: name, file }, signal) {
      const before = await compose(file, ['ps', '-q', '--status', 'running', name], signal as AbortSignal);
      if (before.ok && before.text !== '') return { ours: false };
      const { ok, text } = await compose(file, ['up', '-d', '--wait', name], signal as AbortSignal);
      return ok ? { ours: true } : { ours: false, problem: text.split('\n').slice(-3).join(' ') };
    },
    async stop({ compose: name, file }) {
      const { ok, text } = await compose(file, ['stop', name]);
      return ok ? undefined : text;
    },
  };
}

interface Said {
  ok: boolean;
  text: string;
}

function run(
  program: string,
  args: string[],
  options: { cwd: string; timeout: number; signal?: AbortSignal | undefined },
): Promise<Said> {
  return new Promise((resolve) => {
    execFile(program, args, { ...options, encoding: 'utf8' }, (error, stdout, stderr) => {
      const text = (error ? stderr || stdout || error.message : stdout).trim();
      resolve({ ok: error === null, text });
    });
  });
}
