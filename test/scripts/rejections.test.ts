/** Mocha alone passes over a rejection that nobody waits for. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'mocha';

const forgetful = `
const forget = () => void Promise.reject(new Error('nobody waits'));
describe('a', () => {
  it('ends before anybody sees it', forget);
  it('goes on', () => (forget(), new Promise((done) => setTimeout(done, 100))));
  it('waits for ever', () => (forget(), new Promise(() => undefined)));
  it('does nothing of the kind', () => new Promise((done) => setTimeout(done, 200)));
});`;
/** More files than workers: each worker has a second one. */
const names = ['one', 'two', 'three', 'four'];

describe('a promise that is rejected while nobody waits for it', () => {
  for (const more of [[], ['--parallel', '--jobs', '2']])
    it(`fails the test that made it, and that alone${more.length > 0 ? ', where files run beside one another too' : ''}`, () => {
      const folder = mkdtempSync(join(tmpdir(), 'loop-mocha-'));
      try {
        const files = names.map((name) => join(folder, `${name}.test.cjs`));
        for (const file of files) writeFileSync(file, forgetful);
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
