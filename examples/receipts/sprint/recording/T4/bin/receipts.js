#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { UnusableRows } from '../src/csv.js';
import { renderJson } from '../src/json.js';
import { readReceipts } from '../src/receipts.js';
import { renderText, summarize } from '../src/report.js';

const usage = 'Usage: receipts <receipts.csv> [--json]';

function readArguments() {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: 'boolean' } } });
    if (positionals.length === 1) return { file: positionals[0], ...values };
    console.error(usage);
  } catch (error) {
    console.error(`${error.message}\n${usage}`);
  }
  process.exit(2);
}

const { file, json } = readArguments();
try {
  const summary = summarize(readReceipts(readFileSync(file, 'utf8'), file));
  process.stdout.write(json ? renderJson(summary) : renderText(summary));
} catch (error) {
  if (!(error instanceof UnusableRows) && error.code === undefined) throw error;
  console.error(error.code === 'ENOENT' ? `${file}: there is no such file` : error.message);
  process.exitCode = 1;
}
