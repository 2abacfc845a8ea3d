/** The warning that most of a budget is used. */
import * as assert from 'node:assert/strict';

import { describe, it } from 'mocha';
import * as vscode from 'vscode';

import { warnOfBudget } from '../../../src/extension/editor/budget.ts';
import { toldBy } from './replaced.ts';

describe('the warning of a budget', () => {
  it('comes once for each sprint and each budget, also for the next sprint in the same folder', async () => {
    const spend = { usd: 9, budgetUsd: 10, tokens: 1, budgetTokens: 100, hours: 1, maxHours: 24 };
    const first = { name: 'shop', branch: 'loop/shop-1', spend };
    const views = [first, first, { ...first, spend: { ...spend, usd: 19, budgetUsd: 20 } }, { ...first, branch: 'loop/shop-2' }];
    const changed = new vscode.EventEmitter<void>();
    const store = { shown: {}, onDidChange: changed.event };
    const warning = warnOfBudget(store as never);
    const told = await toldBy(async () => {
      for (const view of views) {
        store.shown = { dir: '/work/sprint', running: true, view };
        changed.fire();
        await Promise.resolve();
      }
    });
    vscode.Disposable.from(warning, changed).dispose();
    assert.equal(told.length, 3, told.join('\n'));
  });
});
