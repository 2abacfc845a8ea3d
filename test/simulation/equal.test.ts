/** The comparison that the oracle uses: a missed difference would hide a broken guarantee. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { difference } from './oracle/equal.ts';

describe('the difference of', () => {
  const shared = { deep: [1] };
  const rows: [what: string, a: unknown, b: unknown, expected: string | undefined][] = [
    ['equal trees', { a: [1, { b: null }] }, { a: [1, { b: null }] }, undefined],
    ['one and the same object', { shared }, { shared }, undefined],
    ['a key without a value and none', { a: 1, b: undefined }, { a: 1 }, undefined],
    ['equal maps', new Map([['a', [1]]]), new Map([['a', [1]]]), undefined],
    ['two values', 1, '1', '.'],
    ['nothing and something', { a: null }, { a: {} }, '.a'],
    ['deep values', { a: [{ b: 1 }] }, { a: [{ b: 2 }] }, '.a.0.b'],
    ['other keys', { a: 1 }, { b: 1 }, '.a'],
    ['more keys', { a: { b: 1 } }, { a: { b: 1, c: 2 } }, '.a (1 and 2 keys)'],
    ['a longer list', [1], [1, 2], ' (1 and 2 entries)'],
    ['maps', new Map([['a', 1]]), new Map([['a', 2]]), '.0.1'],
  ];
  for (const [what, a, b, expected] of rows) it(what, () => assert.equal(difference(a, b), expected));
});
