/** The clock's waits: how long they last, how they end on abort, and that they leave nothing behind. */
import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { Interruption } from '../../src/engine/ground/errors.ts';
import { systemClock } from '../../src/host/clock.ts';

const openTimers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
const cancelled = (error: unknown): boolean => error instanceof Interruption && error.reason === 'cancelled';

describe('clock', () => {
  it('waits as long as it was asked to and leaves no listener', async () => {
    const { signal } = new AbortController();
    const begun = performance.now();
    await Promise.all([systemClock.sleep(30, signal), systemClock.sleep(0, signal)]);
    const took = performance.now() - begun;
    assert.ok(took >= 28 && took < 10_000, `${took} ms`);
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });

  it('ends a wait at once on abort and leaves neither timer nor listener', async () => {
    const controller = new AbortController();
    await turn();
    const before = openTimers();
    const waits = Array.from({ length: 8 }, () => assert.rejects(systemClock.sleep(60_000, controller.signal), cancelled));
    assert.equal(openTimers(), before + 8);
    controller.abort();
    await Promise.all(waits);
    await assert.rejects(systemClock.sleep(60_000, controller.signal), cancelled);
    assert.equal(openTimers(), before);
    assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
  });

  it('waits longer than one timer can', async () => {
    const longest = 2 ** 31 - 1;
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      let done = false;
      void systemClock.sleep(2 * longest + 5, new AbortController().signal).then(() => (done = true));
      for (const [ms, expected] of [
        [longest, false],
        [longest, false],
        [4, false],
        [1, true],
      ] as const) {
        mock.timers.tick(ms);
        await turn();
        assert.equal(done, expected);
      }
    } finally {
      mock.timers.reset();
    }
  });

  it('returns the time of day', () => {
    const before = Date.now();
    const now = systemClock.now();
    assert.ok(now >= before && now <= Date.now());
  });
});
