/** The built command line in a process of its own. */
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

export interface Outcome {
  code: number | null;
  out: string;
  err: string;
}

export function loop(args: string[], env: Record<string, string> = {}): Promise<Outcome> {
  const { ANTHROPIC_API_KEY: _key, ANTHROPIC_BASE_URL: _url, ...rest } = process.env;
  return new Promise((done) => {
    const child = spawn(process.execPath, [resolve('dist/cli.mjs'), ...args], {
      env: { ...rest, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said = { out: '', err: '' };
    child.stdout.on('data', (text: Buffer) => (said.out += text.toString()));
    child.stderr.on('data', (text: Buffer) => (said.err += text.toString()));
    child.once('close', (code) => done({ code, ...said }));
  });
}
