import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderJson } from '../src/json.js';

test('amounts are text with two decimals, months and categories as in the report', () => {
  const months = [
    {
      month: '2026-01',
      categories: [
        ['Meals', 8000],
        ['Office', -5],
      ],
      total: 7995,
    },
  ];
  assert.deepEqual(JSON.parse(renderJson({ months, total: 7995 })), {
    currency: 'EUR',
    months: [{ month: '2026-01', categories: { Meals: '80.00', Office: '-0.05' }, total: '79.95' }],
    total: '79.95',
  });
});

test('without receipts it is a document all the same', () => {
  assert.deepEqual(JSON.parse(renderJson({ months: [], total: 0 })), { currency: 'EUR', months: [], total: '0.00' });
});
