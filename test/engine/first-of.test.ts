/** Whichever comes first, and nothing left behind (I12). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Interruption } from '../../src/engine/ground/errors.ts';
import { firstOf } from '../../src/engine/first-of.ts';
import type { AbortSignal as Signal } from '../../src/engine/ports.ts';

const never = (over: string[], signal: Signal): Promise<string> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => {
      over.push('over');
      reject(new Error('aborted'));
    });
  });

describe('firstOf', () => {
  it('gives the first, and has ended the other when it returns', async () => {
    const over: string[] = [];
    const first = await firstOf(new AbortController().signal, [() => Promise.resolve('first'), (stop) => never(over, stop)]);
    assert.deepEqual([first, over], ['first', ['over']]);
  });

  it('throws what the first to end throws', async () => {
    const over: string[] = [];
    const waits = [(stop: Signal) => never(over, stop), () => Promise.reject(new Error('broken'))];
    await assert.rejects(firstOf(new AbortController().signal, waits), { message: 'broken' });
    assert.deepEqual(over, ['over']);
  });

  for (const early of [true, false])
    it(`is an interruption when it is stopped ${early ? 'before it begins' : 'meanwhile'}`, async () => {
      const abort = new AbortController();
      const over: string[] = [];
      const waits = [(stop: Signal) => (stop.aborted ? Promise.reject(new Error('aborted')) : never(over, stop))];
      if (early) abort.abort();
      const ended = assert.rejects(firstOf(abort.signal, waits), (e) => e instanceof Interruption && e.reason === 'cancelled');
      abort.abort();
      await ended;
    });
});
