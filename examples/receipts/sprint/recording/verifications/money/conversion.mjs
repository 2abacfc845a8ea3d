// TEST: Foreign receipts are converted by their own month's rate, half a cent away from zero
// PRD: 2.1
// RED: foreign receipts are not converted as finance does it
// TIMEOUT: 20
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

const data = process.env.TEST_DATA_DIR;
const write = (name, rows) => {
  writeFileSync(`${data}/${name}`, rows.join('\n'));
  return `${data}/${name}`;
};
const rates = write('company.csv', ['month,currency,rate', '2026-05,USD,0.9204', '2026-06,USD,1.005', '2026-05,GBP,1.25']);
const run = (name, rows) => {
  const file = write(name, ['date,category,description,amount,currency', ...rows]);
  const done = spawnSync('node', ['bin/receipts.js', file, '--rates', rates], { encoding: 'utf8' });
  return { ...done, file, report: done.stdout.replace(/ +/g, ' ').replace(/\n+ ?/g, '|') };
};
const problems = [];
const check = (what, actual, expected) => {
  if (actual !== expected) problems.push(`${what}\n  expected: ${expected}\n  actual:   ${actual}`);
};

// By hand: 12.50 at 0.9204 is 11.505, so 11.51; the refund of it -11.51; 1.00 at 1.005 is 1.005, so 1.01;
// three times 0.10 at 1.25 is 0.125 each, so 0.13 each and 0.39 together (0.38 if the sum were rounded).
const good = run('abroad.csv', [
  '2026-05-12,Fees,Visa,12.50,USD',
  '2026-05-12,Refunds,Visa,-12.50,USD',
  '2026-06-12,Fees,Visa,1.00,USD',
  '2026-05-13,Snacks,Gum,0.10,GBP',
  '2026-05-13,Snacks,Gum,0.10,GBP',
  '2026-05-13,Snacks,Gum,0.10,GBP',
  '2026-05-14,Snacks,Gum,0.10,EUR',
]);
const report = '2026-05|Fees 11.51|Refunds -11.51|Snacks 0.49|Total 0.49|2026-06|Fees 1.01|Total 1.01|Grand total 1.50 EUR|';
check('report', `${good.report}${good.stderr.slice(0, 300)}`, report);

if (problems.length > 0) {
  console.log(`foreign receipts are not converted as finance does it\n${problems.join('\n')}`);
  process.exit(1);
}
