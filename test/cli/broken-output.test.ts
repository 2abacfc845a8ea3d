/** The built command line where nothing that it prints can be written: it stops in good order, and never says that all is well. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, it } from 'mocha';
import { honest } from '../support/greeter.ts';
import { ground } from '../support/sprint.ts';
import { loop, runOf, type Outcome } from './loop.ts';

describe('output that cannot be written', () => {
  it('is said, and is no success', async () => {
    const { code, err } = await ontoFullDisk(['help']);
    assert.deepEqual([code, err], [1, 'Loop stops, because its output cannot be written: ENOSPC: no space left on device, write.\n']);
  });

  it('stops a sprint as Ctrl+C does, and the same command goes on with it', async () => {
    const at = await ground(honest);
    try {
      const { code, err } = await ontoFullDisk(runOf(at));
      assert.equal(code, 130, err);
      assert.match(err, /Nothing that was settled is lost/);
      assert.equal((await loop(runOf(at))).code, 3, 'it waits for a file');
    } finally {
      await at.dispose();
    }
  });
});

async function ontoFullDisk(args: string[]): Promise<Pick<Outcome, 'code' | 'err'>> {
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, [resolve('dist/cli.mjs'), ...args], { stdio: ['ignore', full, 'pipe'] });
  closeSync(full);
  let err = '';
  child.stderr?.on('data', (text: Buffer) => (err += text.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, err };
}
