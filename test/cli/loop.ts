/** Runs the built command line in its own process. */
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { Ground } from '../support/sprint.ts';

export interface Outcome {
  code: number | null;
  out: string;
  err: string;
}

/** Plays the sprint, without measuring its proofs: that takes most of its time, and has tests of its own. */
export const runOf = ({ sprintDir, recording }: Ground, ...more: string[]): string[] => [
  'run',
  sprintDir,
  '--model',
  `recorded:${recording}`,
  '--evidence',
  'any',
  ...more,
];

export function loop(args: string[], env: Record<string, string> = {}): Promise<Outcome> {
  return new Promise((done) => {
    const child = spawn(process.execPath, [resolve('dist/cli.mjs'), ...args], {
      env: { ...withoutKey(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = { out: '', err: '' };
    child.stdout.on('data', (text: Buffer) => (output.out += text.toString()));
    child.stderr.on('data', (text: Buffer) => (output.err += text.toString()));
    child.once('close', (code) => done({ code, ...output }));
  });
}

/**
 * Runs it in its own terminal, with `script` of util-linux, and types `keys` when the prompt appears.
 * @returns everything that the terminal shows, as `out`.
 */
export function atTerminal(
  args: string[],
  prompt: string,
  keys: string,
  env: Record<string, string> = {},
): Promise<Pick<Outcome, 'code' | 'out'>> {
  const command = [process.execPath, resolve('dist/cli.mjs'), ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  return new Promise((done, failed) => {
    const child = spawn('script', ['--quiet', '--return', '--command', command.join(' '), '/dev/null'], {
      env: { ...withoutKey(), ...env, SHELL: '/bin/sh' },
      stdio: ['pipe', 'pipe', 'inherit'],
      // Ends a run whose prompt never appears.
      timeout: 600_000,
    });
    let [out, asked] = ['', false];
    child.stdout.on('data', (text: Buffer) => {
      out += text.toString();
      if (asked || !out.includes(prompt)) return;
      asked = true;
      child.stdin.write(keys);
    });
    child.once('error', failed);
    child.once('close', (code) => done({ code, out }));
  });
}

function withoutKey(): NodeJS.ProcessEnv {
  const { ANTHROPIC_API_KEY: _key, ANTHROPIC_BASE_URL: _url, ...rest } = process.env;
  return rest;
}
