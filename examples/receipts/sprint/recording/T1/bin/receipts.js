#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { readReceipts } from '../src/receipts.js';
import { renderText, summarize } from '../src/report.js';

const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error('Usage: receipts <receipts.csv>');
  process.exit(2);
}

try {
  const receipts = readReceipts(readFileSync(file, 'utf8'), file);
  process.stdout.write(renderText(summarize(receipts)));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
