/** The reporter lists the failing tests by name and why they fail, because mocha's output has thousands of other lines. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'mocha';

const files = {
  'tree.test.cjs': `describe('a tree', () => { it('grows', () => {}); it('falls', () => { throw new Error('it stands'); }); });`,
  'leaf.test.cjs': `it('a leaf', () => {});`,
};

describe('the test reporter', () => {
  for (const more of [[], ['--parallel', '--jobs', '2']])
    it(`writes the number of passed tests, and which failed and why${more.length > 0 ? ', also when files run in parallel' : ''}`, () => {
      const folder = mkdtempSync(join(tmpdir(), 'loop-mocha-'));
      try {
        for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
        const counts = join(folder, 'counts.json');
        const args = ['node_modules/mocha/bin/mocha.js', '--reporter', 'scripts/mocha-reporter.cjs', ...more, join(folder, '*.cjs')];
        const { status } = spawnSync(process.execPath, args, { env: { ...process.env, LOOP_TEST_COUNTS: counts } });
        const { failing, ...numbers } = JSON.parse(readFileSync(counts, 'utf8')) as { failing: string[] };
        assert.deepEqual(numbers, { passed: 2, failed: 1 });
        assert.equal(failing.length, 1);
        assert.match(failing[0] ?? '', /^a tree falls\n +Error: it stands\n +at .*tree\.test\.cjs/);
        assert.equal(status, 1);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
});
