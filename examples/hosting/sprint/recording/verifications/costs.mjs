// TEST: The table has what each offer costs in the year, worked out from the data, cheapest first
// PRD: 1.1
// RED: the memo's costs are not those of the data
// TIMEOUT: 10
import { existsSync, readFileSync } from 'node:fs';

const rows = (file) => readFileSync(file, 'utf8').trim().split('\n').slice(1).map((line) => line.split(','));
const visits = rows('data/visits.csv').map(([, count]) => Number(count));
const offers = rows('data/offers.csv').map(([name, fee, included, price]) => {
  // In cents, so that sums are exact.
  const month = (count) => Math.round(fee * 100) + Math.ceil(Math.max(0, count - included) / 1000) * Math.round(price * 100);
  return { name, cents: visits.reduce((sum, count) => sum + month(count), 0) };
});
const expected = offers.sort((a, b) => a.cents - b.cents).map(({ name, cents }) => `${name} ${(cents / 100).toFixed(2)} EUR`);

const memo = existsSync('MEMO.md') ? readFileSync('MEMO.md', 'utf8') : '';
const table = memo.split('\n').filter((line) => /^\|.*EUR/.test(line));
const actual = table.map((line) => line.split('|').map((cell) => cell.trim()).filter(Boolean).join(' '));
if (actual.join('\n') !== expected.join('\n')) {
  console.log(`the memo's costs are not those of the data\n--- expected\n${expected.join('\n')}\n--- actual\n${actual.join('\n')}`);
  process.exit(1);
}
