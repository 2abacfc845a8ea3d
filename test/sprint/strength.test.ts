/** Whole sprints that ask for evidence: faults are put into the real work, and real runs see them or not. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { strengthFor } from '../../src/engine/judge/strength.ts';
import { honest } from '../support/greeter.ts';
import { play } from '../support/played.ts';

describe('a sprint that asks for evidence', function () {
  it('measures what its verifications see, and is delivered', async () => {
    const { ending, state } = await play(honest, { overrides: { evidence: 'fair' } });
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    const levels = state.work.requirements.map(({ id }) => [id, strengthFor(state, id)?.level]);
    assert.deepEqual(levels, [
      ['1.1', 'strong'],
      ['1.2', 'fair'],
      ['1.3', 'strong'],
      ['V1', 'strong'],
    ]);
    const known = state.ledger.measures.map(({ lineage, limits }) => [lineage, limits.some((one) => one.includes('a builder could know'))]);
    // The PRD greets the world, and nobody by the name of Ada.
    assert.deepEqual(Object.fromEntries(known), { 'cli/name': false, 'cli/world': true, 'cli/house': false });
  });
});
