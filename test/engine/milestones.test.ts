/** What is no progress though it is green (I5): a suite of the repository was so before. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { metrics } from '../../src/engine/core/metrics.ts';
import type { Fact } from '../../src/engine/work/facts.ts';
import * as p from './support/parts.ts';

const id = 'suite/unit';
const written: Fact = { fact: 'verification.written', verification: p.suite({ id, lineage: id }) };
const green: Fact = { fact: 'verification.ran', run: p.run({ verification: id, lineage: id }) };

describe('a suite that is green', () => {
  it('is no milestone, and no value', () => {
    const { state } = p.planned().act('characterise', written);
    const { milestones, lastMilestone } = structuredClone(state.ledger);
    const after = p.planned().act('characterise', written).act('run-verifications', green);
    assert.deepEqual([after.state.ledger.milestones, after.state.ledger.lastMilestone], [milestones, lastMilestone]);
    assert.equal(metrics(after.state).value, 0);
  });

  it('is nothing that is left to reach', () => {
    const all = p.green();
    assert.equal(metrics(all.state).value, 1);
    assert.equal(metrics(all.act('characterise', written).state).value, 1);
  });
});
