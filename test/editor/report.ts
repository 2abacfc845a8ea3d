/**
 * How mocha in the extension host reports to the process outside: through two files in a folder named by the environment. The
 * console of the host is no way out, since the editor swallows and decorates it.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';

import type { Runner } from 'mocha';

/** The environment variable with the folder. */
export const reportFolderVariable = 'LOOP_TEST_REPORT';
/** The environment variable with a regular expression for the titles of the tests to run. */
export const reportGrepVariable = 'LOOP_TEST_GREP';

export interface HostTestResult {
  readonly passed: number;
  /** Titles of the tests that failed or did not run, and why. */
  readonly failing: readonly string[];
}

/** Inside the host: adds a line to mocha's output. */
export function writeLine(folder: string, line: string): void {
  appendFileSync(outputFile(folder), `${line}\n`);
}

/** Inside the host: what a run comes to. @returns the result so far */
export function follow(runner: Runner): () => HostTestResult {
  const failing: string[] = [];
  let passed = 0;
  runner.on('pass', () => void (passed += 1));
  runner.on('fail', (test, error) => void failing.push(`${test.fullTitle()}\n      ${String(error)}`));
  runner.on('pending', (test) => void failing.push(`${test.fullTitle()}\n      It did not run.`));
  return () => ({ passed, failing });
}

/** Inside the host: writes the result, which means that mocha came to its end. */
export function writeResult(folder: string, result: HostTestResult): void {
  writeFileSync(resultFile(folder), JSON.stringify(result));
}

/** Outside: mocha's output so far. */
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
