/** All verifications that run at once may listen to one stop without a warning; a real leak still gets one. */
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { config } from '../../src/engine/ground/config.ts';
import { createStop } from '../../src/host/stop.ts';

describe('a stop', () => {
  it('warns of a leak, but not while each verification that may run at once listens to it', async () => {
    const most = config.shape.verificationParallelism.maxValue ?? 0;
    assert.ok(most > 10);
    assert.deepEqual(await warningsFor(2 * most), []);
    assert.deepEqual(await warningsFor(3 * most), ['MaxListenersExceededWarning']);
  });
});

/** The names of the warnings that Node emits for so many listeners to one stop. */
async function warningsFor(listeners: number): Promise<string[]> {
  const warnings: string[] = [];
  const record = ({ name }: Error) => void warnings.push(name);
  process.on('warning', record);
  try {
    const { signal } = createStop();
    for (let n = 0; n < listeners; n += 1) signal.addEventListener('abort', () => undefined);
    await setImmediate();
  } finally {
    process.off('warning', record);
  }
  return warnings;
}
