/** The scheduler: order, limited parallelism, and no start after it must stop. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import { inOrder } from '../../../src/engine/run/schedule.ts';

describe('inOrder', () => {
  it('starts all items in order, with limited parallelism', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(4), { maxLength: 20 }), fc.integer({ min: 1, max: 6 }), async (turns, parallel) => {
        const started: number[] = [];
        let running = 0;
        let most = 0;
        const left = await inOrder([...turns.entries()], {
          parallel,
          goesOn: () => true,
          async run([index, wait]) {
            started.push(index);
            most = Math.max(most, ++running);
            for (let n = 0; n < wait; n++) await Promise.resolve();
            running -= 1;
          },
        });
        assert.deepEqual(left, []);
        assert.deepEqual(started, [...turns.keys()]);
        assert.ok(most <= parallel);
      }),
    );
  });

  it('runs the first items in parallel', async () => {
    const ends: (() => void)[] = [];
    const running = inOrder(['a', 'b', 'c'], {
      parallel: 2,
      goesOn: () => true,
      run: () => new Promise<void>((end) => void ends.push(end)),
    });
    await Promise.resolve();
    assert.equal(ends.length, 2);
    for (let n = 0; n < 3; n++) {
      ends[n]?.();
      await new Promise((next) => setImmediate(next));
    }
    assert.deepEqual(await running, []);
    assert.equal(ends.length, 3);
  });

  it('starts nothing after it must stop, and returns the rest in order', async () => {
    const started: string[] = [];
    const left = await inOrder(['a', 'b', 'c', 'd'], {
      parallel: 1,
      goesOn: () => started.length < 2,
      run: (item) => Promise.resolve(void started.push(item)),
    });
    assert.deepEqual(
      [started, left],
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    );
  });

  it('fails as soon as one item throws, and starts nothing after it', async () => {
    const started: number[] = [];
    const run = async (item: number): Promise<void> => {
      started.push(item);
      if (item === 1) throw new RangeError('no');
      await new Promise((next) => setImmediate(next));
    };
    await assert.rejects(inOrder([1, 2, 3, 4], { parallel: 2, goesOn: () => true, run }), RangeError);
    for (let n = 0; n < 3; n++) await new Promise((next) => setImmediate(next));
    assert.deepEqual(started, [1, 2]);
  });
});
