/**
 * The person's own Docker, outside of every sandbox. It is used only where they allowed it, and only with the compose file of
 * their own checkout, which no agent writes (docs/decisions/0010). Needs Compose version 2, `docker compose`.
 */
import { execFile } from 'node:child_process';
import type { AbortSignal as Stop, Docker } from '../engine/ports.ts';
import { findIn } from './sandbox/places.ts';

/** Milliseconds; an image may have to be downloaded first. */
const timeout = 900_000;

/** Bytes; a build prints all output of its steps. */
const maxBuffer = 256 * 1024 * 1024;

/** How many lines of an error are reported. */
const errorLines = 3;

/** @param root the person's checkout. @param writable folders that agents write; programs in them are not used. */
export function createDocker(root: string, writable: string[]): Docker {
  const docker = (args: string[], signal?: Stop): Promise<Result> => {
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

interface Result {
  ok: boolean;
  text: string;
}

/** The last lines of an error, without the indented lines, which show progress. */
function problemOf(text: string): string {
  const lines = text.split('\n').filter((line) => /^\S/.test(line));
  return lines.slice(-errorLines).join(' ');
}

function run(
  program: string,
  args: string[],
  options: { cwd: string; timeout: number; maxBuffer: number; signal: AbortSignal | undefined },
): Promise<Result> {
  return new Promise((resolve) => {
    execFile(program, args, { ...options, encoding: 'utf8' }, (error, stdout, stderr) => {
      const text = (error ? stderr || stdout || error.message : stdout).trimEnd();
      resolve({ ok: error === null, text });
    });
  });
}
