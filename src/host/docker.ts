/**
 * The person's own Docker (design §8.1): asked only where they allowed it, and for the compose file of their own checkout,
 * which no agent writes. It runs outside of every sandbox. Compose is version 2, `docker compose`.
 */
import { execFile } from 'node:child_process';
import type { AbortSignal as Stop, Docker } from '../engine/ports.ts';
import { findIn } from './sandbox/places.ts';

/** Milliseconds; an image may have to be fetched first. */
const timeout = 900_000;

/** Bytes; a build prints everything that its steps print. */
const maxBuffer = 256 * 1024 * 1024;

/** Lines of an error that are told. */
const told = 3;

/** @param root the person's checkout; @param writable folders that agents write, from which no program is taken. */
export function createDocker(root: string, writable: string[]): Docker {
  const docker = (args: string[], signal?: Stop): Promise<Said> => {
    const program = findIn((process.env['PATH'] ?? '').split(':'), 'docker', writable);
    if (program === undefined) return Promise.resolve({ ok: false, text: 'docker is not installed' });
    return run(program, args, { cwd: root, timeout, maxBuffer, signal: signal as AbortSignal | undefined });
  };
  const compose = (file: string, args: string[], signal?: Stop) => docker(['compose', '-f', file, ...args], signal);
  return {
    async running(file, signal) {
      const { ok, text } = await compose(file, ['ps', '--services', '--status', 'running', '--status', 'restarting'], signal);
      if (ok) return { names: text.split('\n').filter((name) => name !== '') };
      const plugin = await docker(['compose', 'version'], signal);
      return { names: [], problem: plugin.ok ? problemOf(text) : `${problemOf(plugin.text)} (Docker Compose 2 is needed)` };
    },
    async up({ compose: name, file }, signal) {
      const { ok, text } = await compose(file, ['up', '-d', '--wait', name], signal);
      return ok ? undefined : problemOf(text);
    },
    async stop(file, names) {
      const { ok, text } = await compose(file, ['stop', ...names]);
      return ok ? undefined : problemOf(text);
    },
  };
}

interface Said {
  ok: boolean;
  text: string;
}

/** Its last words, without the indented lines that tell how far it has come. */
function problemOf(text: string): string {
  const lines = text.split('\n').filter((line) => /^\S/.test(line));
  return lines.slice(-told).join(' ');
}

function run(
  program: string,
  args: string[],
  options: { cwd: string; timeout: number; maxBuffer: number; signal: AbortSignal | undefined },
): Promise<Said> {
  return new Promise((resolve) => {
    execFile(program, args, { ...options, encoding: 'utf8' }, (error, stdout, stderr) => {
      const text = (error ? stderr || stdout || error.message : stdout).trimEnd();
      resolve({ ok: error === null, text });
    });
  });
}
