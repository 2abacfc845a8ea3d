/** A question in which a text is typed. */
import * as assert from 'node:assert/strict';

import { describe, it } from 'mocha';

import { typeIn } from '../../../src/extension/editor/steps.ts';
import { doing, escape, type } from './answering.ts';

describe('a text that is asked for', () => {
  it('can be typed once more where looking at it failed, and says why', async () => {
    let seen: object = {};
    const { restore } = doing([
      async (shown) => {
        await type('sk-ant-of-a-test')(shown);
        seen = { ...shown };
        escape(shown);
      },
    ]);
    try {
      const place = { title: 'Loop: Set API Key', step: 1, of: 1 };
      const check = (): Promise<never> => Promise.reject(new Error('the thread ended'));
      assert.equal(await typeIn(place, { prompt: '', placeholder: '', check }), 'leave');
      const { enabled, busy, validationMessage } = seen as Record<string, unknown>;
      assert.deepEqual([enabled, busy, validationMessage], [true, false, 'Something in Loop failed: the thread ended']);
    } finally {
      restore();
    }
  });
});
