/** The order of runs: recently failed ones, then long ones, then ones that never ran. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { runOrder } from '../../../src/engine/judge/order.ts';
import type { Run } from '../../../src/engine/work/verification.ts';
import { verification, run } from '../support/parts.ts';

const verifications = ['new', 'short', 'long', 'failed', 'failed-long', 'flaky', 'mended', 'reverted', 'newer'].map((id) =>
  verification({ id, lineage: `line of ${id}` }),
);
const runs: Record<string, Run[]> = {
  'line of short': [run({ duration: 10 })],
  'line of long': [run({ duration: 9000 })],
  'line of failed': [run({ duration: 900 }), run({ duration: 20, verdict: 'red', code: null })],
  'line of failed-long': [run({ duration: 30, verdict: 'red' })],
  'line of flaky': [run({ duration: 25, verdict: 'flaky' })],
  'line of mended': [run({ duration: 5000, verdict: 'red' }), run({ duration: 50 })],
  'line of reverted': [run({ duration: 40 }), run({ duration: 7000, verdict: 'red', where: 'revert' })],
};
const ids = (first: string[] = []): string[] =>
  runOrder(
    verifications,
    runs,
    verifications.filter((v) => first.includes(v.id)),
  ).map((v) => v.id);

describe('the order of runs', () => {
  const known = ['failed-long', 'flaky', 'failed', 'long', 'mended', 'reverted', 'short'];

  it('has recently failed ones first, then the longest, then ones that never ran', () => {
    assert.deepEqual(ids(), [...known, 'new', 'newer']);
  });

  it('puts requested ones before all others, in the same order', () => {
    assert.deepEqual(ids(['newer', 'short', 'failed']), [
      'failed',
      'short',
      'newer',
      'failed-long',
      'flaky',
      'long',
      'mended',
      'reverted',
      'new',
    ]);
  });
});
