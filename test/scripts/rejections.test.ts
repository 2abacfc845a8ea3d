/** Tests `scripts/mocha-rejections.cjs`, because mocha alone ignores an unhandled rejection. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'mocha';

const rejectingTests = `
const forget = () => void Promise.reject(new Error('nobody waits'));
describe('a', () => {
  it('ends before the rejection is noticed', forget);
    it('runs on after the rejection', () => (forget(), new Promise((done) => setTimeout(done, 100))));
    it('never ends', () => (forget(), new Promise(() => undefined)));
    it('rejects nothing', () => new Promise((done) => setTimeout(done, 200)));
});`;
/** More files than workers, so that each worker runs a second file. */
const names = ['one', 'two', 'three', 'four'];

describe('an unhandled rejection', () => {
  for (const more of [[], ['--parallel', '--jobs', '2']])
    it(`fails only the test that caused it${more.length > 0 ? ', also when files run in parallel' : ''}`, () => {
      const folder = mkdtempSync(join(tmpdir(), 'loop-mocha-'));
      try {
        const files = names.map((name) => join(folder, `${name}.test.cjs`));
        for (const file of files) writeFileSync(file, rejectingTests);
        const options = ['--no-config', '--timeout', '60000', '--require', 'scripts/mocha-rejections.cjs', ...more];
        const run = spawnSync(process.execPath, ['node_modules/mocha/bin/mocha.js', ...options, ...files], { encoding: 'utf8' });
        assert.match(run.stdout, /4 passing[^]*12 failing/, run.stderr);
        assert.equal(run.stdout.match(/^ +Error: nobody waits$/gm)?.length, 12);
        assert.equal(run.status, 12);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
});
