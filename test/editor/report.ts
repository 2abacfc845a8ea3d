// Owns how mocha, inside the extension host, tells the world outside what it did: two files in a folder that is handed
// over in the environment. The host's console is no way out: the editor swallows and decorates it.

import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';

/** The variable with the folder. */
export const REPORT_FOLDER = 'LOOP_TEST_REPORT';
/** The variable with a regular expression: only tests whose title matches it. */
export const REPORT_GREP = 'LOOP_TEST_GREP';

export interface HostTestResult {
  readonly passed: number;
  readonly failed: number;
  /** Tests that were there and did not run. */
  readonly pending: number;
}

/** Inside the host: adds a line to what mocha says. */
export function writeLine(folder: string, line: string): void {
  appendFileSync(outputFile(folder), `${line}\n`);
}

/** Inside the host: states the result; its presence means that mocha came to its end. */
export function writeResult(folder: string, result: HostTestResult): void {
  writeFileSync(resultFile(folder), JSON.stringify(result));
}

/** Outside: all that mocha has said so far. */
export function readOutput(folder: string): string {
  return existsSync(outputFile(folder)) ? readFileSync(outputFile(folder), 'utf8') : '';
}

/** Outside: the result; undefined when mocha did not come to its end. */
export function readResult(folder: string): HostTestResult | undefined {
  if (!existsSync(resultFile(folder))) return undefined;
  return JSON.parse(readFileSync(resultFile(folder), 'utf8')) as HostTestResult;
}

function outputFile(folder: string): string {
  return path.join(folder, 'output.txt');
}

function resultFile(folder: string): string {
  return path.join(folder, 'result.json');
}
