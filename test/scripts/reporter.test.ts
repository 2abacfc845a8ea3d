/** The reporter lists the failing tests by name and why they fail, and no passed one, because they are thousands. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { describe, it } from 'mocha';

const files = {
  'tree.test.cjs': `describe('a tree', () => { it('grows', () => {}); it('falls', () => { throw new Error('it stands'); }); });`,
  'leaf.test.cjs': `it('a leaf', () => {});`,
};

interface Counts {
  file: string;
  passed: number;
  failing: string[];
}

describe('the test reporter', () => {
  for (const more of [[], ['--parallel', '--jobs', '2']])
    it(`writes for each file the number of passed tests, and which failed and why${more.length > 0 ? ', also when files run in parallel' : ''}`, () => {
      const folder = mkdtempSync(join(tmpdir(), 'loop-mocha-'));
      try {
        for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
        const counts = join(folder, 'counts.json');
        const args = ['node_modules/mocha/bin/mocha.js', '--reporter', 'scripts/mocha-reporter.cjs', ...more, join(folder, '*.cjs')];
        const { status, stdout } = spawnSync(process.execPath, args, {
          env: { ...process.env, LOOP_TEST_COUNTS: counts },
          encoding: 'utf8',
        });
        const read = JSON.parse(readFileSync(counts, 'utf8')) as Counts[];
        const [leaf, tree] = read.sort((a, b) => a.file.localeCompare(b.file)) as [Counts, Counts];
        for (const { file } of [leaf, tree]) assert.equal(dirname(resolve(file)), folder);
        assert.deepEqual([leaf.passed, leaf.failing, tree.passed, tree.failing.length], [1, [], 1, 1]);
        assert.match(tree.failing[0] ?? '', /^a tree falls\n +Error: it stands\n +at .*tree\.test\.cjs/);
        assert.match(stdout, /^ {2}FAILED a tree falls\n +Error: it stands\n/m);
        assert.match(stdout, /leaf\.test\.cjs: 1 passed, \d/);
        assert.match(stdout, /tree\.test\.cjs: 1 passed, 1 failed, \d/);
        assert.doesNotMatch(stdout, /grows/);
        assert.equal(status, 1);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
});
