import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convert, readRates } from '../src/rates.js';
import { readReceipts } from '../src/receipts.js';

const rates = readRates('month,currency,rate\r\n2026-02,USD,0.9172\r\n2026-03,USD,0.9204\r\n', 'rates.csv');

test('half a cent goes away from zero, for refunds too', () => {
  assert.equal(convert(1250, '0.9204'), 1151); // 1150.5
  assert.equal(convert(-1250, '0.9204'), -1151);
  assert.equal(convert(1249, '0.9204'), 1150); // 1149.5796
});

test('what fractions get wrong comes out right', () => {
  assert.equal(Math.round(100 * 1.005), 100);
  assert.equal(convert(100, '1.005'), 101); // 100.5
});

test('a receipt is converted by the rate of its own month', () => {
  const text = 'date,category,description,amount,currency\n2026-02-28,A,x,10.00,USD\n2026-03-01,A,x,10.00,USD\n';
  assert.deepEqual(
    readReceipts(text, 'r.csv', rates).map(({ cents }) => cents),
    [917, 920],
  );
});

test('without a rate the receipt is named with month and currency', () => {
  const text = 'date,category,description,amount,currency\n2026-04-01,A,x,10.00,USD\n2026-03-01,A,x,10.00,CHF\n';
  const message = 'r.csv:2: there is no exchange rate for USD in 2026-04\nr.csv:3: there is no exchange rate for CHF in 2026-03';
  assert.throws(() => readReceipts(text, 'r.csv', rates), { message });
});

test('a rate that is no number is named with its line', () => {
  assert.throws(() => readRates('month,currency,rate\n2026-03,USD,"0,92"', 'rates.csv'), {
    message: 'rates.csv:2: "2026-03,USD,0,92" is no rate',
  });
});
