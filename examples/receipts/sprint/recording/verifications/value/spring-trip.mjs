// TEST: The spring trip's report has the figures that the company's own rates give by hand, as text and as JSON
// PRD: V1
// RED: the trip's figures are not those worked out by hand
// TIMEOUT: 20
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

// samples/spring.csv as a person reads it: month, category, cents, currency.
const receipts = [
  ['2026-02', 'Transport', 6840, 'GBP'],
  ['2026-02', 'Meals', 9675, 'GBP'],
  ['2026-02', 'Lodging', 14700, 'GBP'],
  ['2026-02', 'Transport', 3400, 'EUR'],
  ['2026-03', 'Transport', 3850, 'USD'],
  ['2026-03', 'Meals', 7215, 'USD'],
  ['2026-03', 'Lodging', 161200, 'USD'],
  ['2026-03', 'Lodging', -1250, 'USD'],
  ['2026-03', 'Meals', 980, 'EUR'],
  ['2026-04', 'Transport', 5200, 'CHF'],
  ['2026-04', 'Meals', 1850, 'CHF'],
  ['2026-04', 'Other', 12000, 'EUR'],
];

const fail = (what) => {
  console.log(`the trip's figures are not those worked out by hand\n${what}`);
  process.exit(1);
};

// Long multiplication in hundred-millionths of a cent, the company's own rates.csv, half a cent away from zero.
const rates = existsSync('rates.csv') ? readFileSync('rates.csv', 'utf8').split(/\r?\n/) : [];
const inCents = ([month, , cents, currency]) => {
  if (currency === 'EUR') return cents;
  const row = rates.find((each) => each.startsWith(`${month},${currency},`)) ?? fail(`rates.csv has no ${month},${currency}`);
  const [whole, fraction = ''] = row.split(',')[2].split('.');
  const product = Math.abs(cents) * Number(whole + fraction.padEnd(8, '0'));
  if (!Number.isSafeInteger(product)) fail(`${row} is too long to multiply by hand`);
  const rest = product % 1e8;
  return Math.sign(cents) * ((product - rest) / 1e8 + (rest * 2 >= 1e8 ? 1 : 0));
};
const sum = (rows) => (rows.reduce((cents, row) => cents + inCents(row), 0) / 100).toFixed(2);
const months = ['2026-02', '2026-03', '2026-04'].map((month) => {
  const own = receipts.filter((row) => row[0] === month);
  const categories = [...new Set(own.map((row) => row[1]))].sort();
  return {
    month,
    categories: Object.fromEntries(categories.map((c) => [c, sum(own.filter((row) => row[1] === c))])),
    total: sum(own),
  };
});
const text = [
  ...months.flatMap(({ month, categories, total }) => [
    month,
    ...Object.entries(categories).map((c) => c.join(' ')),
    `Total ${total}`,
  ]),
  `Grand total ${sum(receipts)} EUR`,
].join('\n');
const json = JSON.stringify({ currency: 'EUR', months, total: sum(receipts) });

const run = (...options) => spawnSync('node', ['bin/receipts.js', 'samples/spring.csv', ...options], { encoding: 'utf8' });
const plain = run();
const printed = plain.stdout
  .split('\n')
  .map((line) => line.trim().replace(/ +/g, ' '))
  .filter(Boolean)
  .join('\n');
const machine = run('--json').stdout;
const same = (() => {
  try {
    return JSON.stringify(JSON.parse(machine)) === json;
  } catch {
    return false;
  }
})();

if (printed !== text || !same) {
  fail(`--- expected\n${text}\n${json}\n--- actual\n${printed}\n${machine}\n${plain.stderr.slice(0, 500)}`);
}
