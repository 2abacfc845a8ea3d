// TEST: A receipt without a rate for its month and currency is refused by name, and there is no report
// PRD: 2.2
// RED: a receipt without a rate is not refused as the PRD says
// TIMEOUT: 20
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

const data = process.env.TEST_DATA_DIR;
const write = (name, rows) => {
  writeFileSync(`${data}/${name}`, rows.join('\n'));
  return `${data}/${name}`;
};
const rates = write('company.csv', ['month,currency,rate', '2026-05,USD,0.9204', '2026-05,GBP,1.25']);
const run = (name, rows) => {
  const file = write(name, ['date,category,description,amount,currency', ...rows]);
  const done = spawnSync('node', ['bin/receipts.js', file, '--rates', rates], { encoding: 'utf8' });
  return { ...done, file, report: done.stdout.replace(/ +/g, ' ').replace(/\n+ ?/g, '|') };
};
const problems = [];
const check = (what, actual, expected) => {
  if (actual !== expected) problems.push(`${what}\n  expected: ${expected}\n  actual:   ${actual}`);
};

const none = run('unknown.csv', ['2026-05-12,Fees,Visa,1.00,USD', '2026-06-12,Fees,Visa,1.00,GBP']);
check('exit status without a rate', none.status, 1);
check('report without a rate', none.stdout, '');
const named = none.stderr
  .split('\n')
  .filter((line) => line.startsWith(`${none.file}:3: `) && /GBP/.test(line) && /2026-06/.test(line));
check('rows that are named, with currency and month', named.length, 1);
check('rows that are named at all', none.stderr.trim().split('\n').length, 1);

if (problems.length > 0) {
  console.log(`a receipt without a rate is not refused as the PRD says\n${problems.join('\n')}`);
  process.exit(1);
}
