/** How much of a budget is used, and what a higher one would be. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { budgetShare, chosenHours, raisedBudget } from '../../../src/views/model/budget.ts';

const spend = { usd: 5, budgetUsd: 25, tokens: 16_000_000, budgetTokens: 20_000_000, hours: 2, maxHours: 24 };

describe('the budget of a sprint', () => {
  it('is used as far as what is nearer to its end', () => {
    assert.equal(budgetShare(spend), 0.8);
    assert.equal(budgetShare({ ...spend, usd: 22.5 }), 0.9);
    assert.equal(budgetShare({ ...spend, hours: 23.04 }), 0.96);
  });

  it('goes on with the hours of its start, or with the setting where that was raised since', () => {
    assert.equal(chosenHours({ maxHours: 24, settingHours: 24 }, 24), 24);
    assert.equal(chosenHours({ maxHours: 24, settingHours: 24 }, 48), 48);
    assert.equal(chosenHours({ maxHours: 60, settingHours: 24 }, 48), 60);
    assert.equal(chosenHours({ maxHours: 4, settingHours: 48 }, 48), 4, 'fewer than the setting were chosen');
    assert.equal(chosenHours({ maxHours: 4, settingHours: 48 }, 24), 4);
    assert.equal(chosenHours({ maxHours: 8 }, 48), 8);
    assert.equal(chosenHours({}, 48), undefined);
  });

  it('is raised in money, tokens and hours, within what a configuration may hold', () => {
    assert.deepEqual(raisedBudget(spend, 2), { budgetUsd: 50, budgetTokens: 40_000_000, maxHours: 48 });
    assert.deepEqual(raisedBudget({ ...spend, budgetUsd: 9000, budgetTokens: 1_999_999_999, maxHours: 900 }, 1.5), {
      budgetUsd: 10_000,
      budgetTokens: 2_000_000_000,
      maxHours: 1000,
    });
  });
});
