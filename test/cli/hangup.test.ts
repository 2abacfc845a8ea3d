/** The built command line where the terminal closes from which it was started. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { honest } from '../support/greeter.ts';
import { ground, type Ground } from '../support/sprint.ts';
import { runOf } from './loop.ts';

describe('a sprint whose terminal closes', () => {
  let at: Ground;
  beforeEach(async () => void (at = await ground(honest)));
  afterEach(() => at.dispose());
  const command = (): string[] => [process.execPath, resolve('dist/cli.mjs'), ...runOf(at)];

  it('goes on under nohup', async () => {
    const child = spawn('nohup', command(), { stdio: ['ignore', 'pipe', 'pipe'] });
    const { code, out } = await onceItRuns(child, () => child.kill('SIGHUP'));
    assert.equal(code, 3, out);
    assert.match(out, /^WAITING:$/m);
  });

  it('stops in good order else', async () => {
    const line = `${command().join(' ')} & echo "sprint $!"; wait $!; echo "ended with $?"`;
    const child = spawn('script', ['--quiet', '--command', line, '/dev/null'], {
      env: { ...process.env, SHELL: '/bin/sh' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const { out } = await onceItRuns(child, (told) => process.kill(Number(/sprint (\d+)/.exec(told)?.[1]), 'SIGHUP'));
    assert.match(out, /ended with 130/);
  });
});

async function onceItRuns(child: ChildProcess, act: (told: string) => void): Promise<{ code: number | null; out: string }> {
  let [out, acted] = ['', false];
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text: Buffer) => {
      out += text.toString();
      if (acted || !out.includes('Your checkout ')) return;
      acted = true;
      act(out);
    });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out };
}
