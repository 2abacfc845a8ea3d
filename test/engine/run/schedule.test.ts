/** The scheduler: order, bounded parallelism, and that nothing begins once it may not. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import { inOrder } from '../../../src/engine/run/schedule.ts';

describe('inOrder', () => {
  it('begins all in their order, never more than it may at once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(4), { maxLength: 20 }), fc.integer({ min: 1, max: 6 }), async (turns, parallel) => {
        const began: number[] = [];
        let running = 0;
        let most = 0;
        const left = await inOrder([...turns.entries()], {
          parallel,
          goesOn: () => true,
          async run([index, wait]) {
            began.push(index);
            most = Math.max(most, ++running);
            for (let n = 0; n < wait; n++) await Promise.resolve();
            running -= 1;
          },
        });
        assert.deepEqual(left, []);
        assert.deepEqual(began, [...turns.keys()]);
        assert.ok(most <= parallel);
      }),
    );
  });

  it('lets the first ones run side by side', async () => {
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

  it('begins nothing more once it may not, and gives back what is left in its order', async () => {
    const began: string[] = [];
    const left = await inOrder(['a', 'b', 'c', 'd'], {
      parallel: 1,
      goesOn: () => began.length < 2,
      run: (item) => Promise.resolve(void began.push(item)),
    });
    assert.deepEqual(
      [began, left],
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    );
  });

  it('fails as soon as one cannot be run, and begins nothing after it', async () => {
    const began: number[] = [];
    const run = async (item: number): Promise<void> => {
      began.push(item);
      if (item === 1) throw new RangeError('no');
      await new Promise((next) => setImmediate(next));
    };
    await assert.rejects(inOrder([1, 2, 3, 4], { parallel: 2, goesOn: () => true, run }), RangeError);
    for (let n = 0; n < 3; n++) await new Promise((next) => setImmediate(next));
    assert.deepEqual(began, [1, 2]);
  });
});
