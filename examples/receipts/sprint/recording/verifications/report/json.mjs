// TEST: With --json the figures of the report come as one JSON document, amounts as text
// PRD: 3.3
// RED: the JSON document does not hold the figures of the report
// TIMEOUT: 20
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

const file = `${process.env.TEST_DATA_DIR}/figures.csv`;
const rows = [
  'date,category,description,amount,currency',
  '2026-02-18,Transport,Tram,8.80,EUR',
  '2026-01-14,Meals,Lunch,0.10,EUR',
  '2026-01-15,Meals,Lunch,0.20,EUR',
  '2026-01-16,Office,"Headset, returned",-79.99,EUR',
];
writeFileSync(file, rows.join('\n'));
const expected = {
  currency: 'EUR',
  months: [
    { month: '2026-01', categories: { Meals: '0.30', Office: '-79.99' }, total: '-79.69' },
    { month: '2026-02', categories: { Transport: '8.80' }, total: '8.80' },
  ],
  total: '-70.89',
};

const { status, stdout, stderr } = spawnSync('node', ['bin/receipts.js', file, '--json'], { encoding: 'utf8' });
try {
  assert.equal(status, 0);
  assert.deepEqual(JSON.parse(stdout), expected);
} catch (error) {
  console.log('the JSON document does not hold the figures of the report');
  console.log(`expected: ${JSON.stringify(expected)}`);
  console.log(`actual: exit status ${status}, ${JSON.stringify(stdout)}, ${JSON.stringify(stderr.slice(0, 300))}`);
  console.log(error.message.slice(0, 300));
  process.exit(1);
}
