/** Mocha inside the extension host: VS Code calls `run()`, which runs every bundled suite in this folder. */
import { readdirSync } from 'node:fs';
import * as path from 'node:path';
import { format } from 'node:util';

import Mocha from 'mocha';

import { follow, reportFolderVariable, reportGrepVariable, writeLine, writeResult } from '../report.ts';

const testTimeoutMs = 180_000;

/** Runs the suites. @throws when a test fails, which becomes the exit code of the editor */
export async function run(): Promise<void> {
  const folder = process.env[reportFolderVariable];
  if (folder === undefined) throw new Error(`${reportFolderVariable} is not set: start these tests with run-host-tests`);
  const grep = process.env[reportGrepVariable];
  const mocha = new Mocha({
    timeout: testTimeoutMs,
    color: false,
    forbidOnly: true,
    ...(grep === undefined ? {} : { grep: new RegExp(grep) }),
  });
  Mocha.reporters.Base.consoleLog = (...parts: unknown[]) => writeLine(folder, format(...parts));
  for (const suite of suites()) mocha.addFile(suite);
  const failed = await runToEnd(mocha, folder);
  if (failed > 0) throw new Error(`${failed} tests failed`);
}

function suites(): string[] {
  const names = readdirSync(__dirname, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.test.js'))
    .sort()
    .map((name) => path.join(__dirname, name));
}

function runToEnd(mocha: Mocha, folder: string): Promise<number> {
  return new Promise((resolve, reject) => {
    try {
      const runner = mocha.run((failed) => {
        writeResult(folder, result());
        resolve(failed);
      });
      const result = follow(runner);
    } catch (error) {
      // A suite that does not load fails before mocha starts, so no reporter prints it.
      writeLine(folder, format(error));
      reject(error instanceof Error ? error : new Error(String(error)));
    }
  });
}
