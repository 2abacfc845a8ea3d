/** A stop is heard by as many verifications as may run at a time, which is no leak; a real one is still told. */
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { config } from '../../src/engine/ground/config.ts';
import { createStop } from '../../src/host/stop.ts';

describe('a stop', () => {
  it('is waited for by all verifications at a time without a warning, and warns of a leak', async () => {
    const most = config.shape.verificationParallelism.maxValue ?? 0;
    assert.ok(most > 10);
    assert.deepEqual(await warnedOf(2 * most), []);
    assert.deepEqual(await warnedOf(3 * most), ['MaxListenersExceededWarning']);
  });
});

/** What Node says when so many listen to one stop. */
async function warnedOf(listeners: number): Promise<string[]> {
  const warnings: string[] = [];
  const hear = ({ name }: Error) => void warnings.push(name);
  process.on('warning', hear);
  try {
    const { signal } = createStop();
    for (let n = 0; n < listeners; n += 1) signal.addEventListener('abort', () => undefined);
    await setImmediate();
  } finally {
    process.off('warning', hear);
  }
  return warnings;
}
