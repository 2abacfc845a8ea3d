/** Mocha alone passes over a rejection that nobody waits for. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'mocha';

const forgetful = `describe('a', () => it('b', async () => {
  void Promise.reject(new Error('nobody waits'));
  await new Promise((done) => setTimeout(done, 100));
}));`;

describe('a promise that is rejected while nobody waits for it', () => {
  for (const more of [[], ['--parallel', '--jobs', '2']])
    it(`fails the test that made it${more.length > 0 ? ', where files run beside one another too' : ''}`, () => {
      const folder = mkdtempSync(join(tmpdir(), 'loop-mocha-'));
      try {
        const files = ['one', 'two'].map((name) => join(folder, `${name}.test.cjs`));
        for (const file of files) writeFileSync(file, forgetful);
        const args = [
          'node_modules/mocha/bin/mocha.js',
          '--no-config',
          '--require',
          'scripts/mocha-rejections.cjs',
          ...more,
          ...files,
        ];
        const { stdout, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
        assert.match(stdout, /0 passing[^]*2 failing[^]*Uncaught Error: nobody waits/);
        assert.notEqual(status, 0);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
});
