import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCsv } from '../src/csv.js';
import { formatCents, toCents } from '../src/money.js';
import { readReceipts } from '../src/receipts.js';
import { renderText, summarize } from '../src/report.js';

const header = 'date,category,description,amount,currency\n';
const receipts = (...rows) => readReceipts(header + rows.join('\n'), 'r.csv');

test('quoted fields hold commas, doubled quotes and line breaks', () => {
  const rows = parseCsv('a,"b, c","say ""hi""","two\r\nlines"\r\nx,y,z,\r\n');
  assert.deepEqual(rows, [
    { line: 1, fields: ['a', 'b, c', 'say "hi"', 'two\r\nlines'] },
    { line: 3, fields: ['x', 'y', 'z', ''] },
  ]);
});

test('a byte order mark is no part of the first field', () => {
  assert.deepEqual(parseCsv('\uFEFFdate'), [{ line: 1, fields: ['date'] }]);
});

test('amounts become cents and back', () => {
  assert.deepEqual(['8', '8.8', '8.80', '-12.05', '0.29'].map(toCents), [800, 880, 880, -1205, 29]);
  assert.deepEqual([0, 5, -5, 123456].map(formatCents), ['0.00', '0.05', '-0.05', '1234.56']);
});

test('sums are exact where fractions are not', () => {
  const { total } = summarize(receipts('2026-03-17,A,x,0.10,EUR', '2026-03-17,A,x,0.20,EUR'));
  assert.equal(formatCents(total), '0.30');
});

test('months and categories come in order, each month with its total', () => {
  const report = summarize(
    receipts('2026-02-18,Transport,Tram,8.80,EUR', '2026-01-21,Office,Paper,27.45,EUR', '2026-01-14,Meals,Lunch,80.00,EUR'),
  );
  const text = [
    '2026-01',
    '  Meals         80.00',
    '  Office        27.45',
    '  Total        107.45',
    '',
    '2026-02',
    '  Transport      8.80',
    '  Total          8.80',
    '',
    'Grand total    116.25 EUR',
    '',
  ];
  assert.equal(renderText(report), text.join('\n'));
});

test('a row that cannot be used is named with its line', () => {
  assert.throws(() => receipts('2026-01-14,Meals,Lunch,8o.00,EUR'), /^Error: r\.csv:2: amount "8o\.00"/);
});
