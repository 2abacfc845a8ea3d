/** The reporter lists the failing tests by name and why they fail, and no passed one, because they are thousands. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
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

/** Runs files of tests in a folder of their own. */
function report(tests: Readonly<Record<string, string>>, more: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'loop-mocha-'));
  try {
    for (const [name, text] of Object.entries(tests)) writeFileSync(join(folder, name), text);
    const counts = join(folder, 'counts.json');
    const args = ['node_modules/mocha/bin/mocha.js', '--reporter', 'scripts/mocha-reporter.cjs', ...more, join(folder, '*.cjs')];
    const { status, stdout } = spawnSync(process.execPath, args, {
      env: { ...process.env, LOOP_TEST_COUNTS: counts },
      encoding: 'utf8',
    });
    const read = JSON.parse(readFileSync(counts, 'utf8')) as Counts[];
    for (const { file } of read) if (file) assert.equal(dirname(resolve(file)), folder);
    return { status, stdout, counts: read.sort((a, b) => a.file.localeCompare(b.file)) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the test reporter', () => {
  for (const more of [[], ['--parallel', '--jobs', '2']])
    it(`writes for each file the number of passed tests, and which failed and why${more.length > 0 ? ', also when files run in parallel' : ''}`, () => {
      const { status, stdout, counts } = report(files, more);
      const [leaf, tree] = counts as [Counts, Counts];
      assert.deepEqual([leaf.passed, leaf.failing, tree.passed, tree.failing.length], [1, [], 1, 1]);
      assert.match(tree.failing[0] ?? '', /^a tree falls\n +Error: it stands\n +at .*tree\.test\.cjs/);
      assert.match(stdout, /^ {2}FAILED a tree falls\n +Error: it stands\n/m);
      assert.match(stdout, /leaf\.test\.cjs: 1 passed, \d/);
      assert.match(stdout, /tree\.test\.cjs: 1 passed, 1 failed, \d/);
      assert.doesNotMatch(stdout, /grows/);
      assert.equal(status, 1);
    });

  for (const more of [[], ['--parallel', '--jobs', '2']])
    it(`counts a file without a test as failed${more.length > 0 ? ', also when files run in parallel' : ''}`, () => {
      const emptied = 'for (const one of []) it(one, () => {});';
      const { status, stdout, counts } = report(
        { 'a.cjs': "describe('empty', () => {});", 'b.cjs': emptied, 'c.cjs': "it('is', () => {});" },
        more,
      );
      assert.deepEqual(
        counts.map(({ passed, failing }) => [passed, failing.length]),
        [
          [0, 1],
          [0, 1],
          [1, 0],
        ],
      );
      assert.match(counts[0]?.failing[0] ?? '', /^no test of .*a\.cjs was run$/);
      assert.match(stdout, /FAILED .*b\.cjs: no test of .*b\.cjs was run/);
      assert.equal(status, 2);
    });

  it('writes what it knows where a worker ends between two files', () => {
    const late = `it('ends first', () => void setTimeout(() => { throw new Error('later'); }, 150));`;
    const slow = `it('waits', () => new Promise((done) => setTimeout(done, 1000)));`;
    const { status, counts } = report({ 'a.cjs': late, 'b.cjs': slow }, ['--no-config', '--parallel', '--jobs', '2']);
    assert.deepEqual(
      counts.map(({ passed, failing }) => [passed, failing.map((text) => text.split('\n')[0])]),
      [
        [0, ['a worker ended between two files']],
        [1, []],
        [1, []],
      ],
    );
    assert.equal(status, 1);
  });

  it('counts a file as failed whose tests were not run because another one failed', () => {
    const steps = (first: string): string =>
      `describe('steps', function () { this.bail(true); it('one', ${first}); it('two', () => {}); });`;
    const { stdout, counts } = report({ 'a.cjs': steps("() => { throw new Error('no'); }"), 'b.cjs': steps('() => {}') }, []);
    assert.deepEqual(
      counts.map(({ passed, failing }) => [passed, failing.length]),
      [
        [0, 1],
        [0, 1],
      ],
    );
    assert.deepEqual(counts[1]?.failing, ['2 of 2 tests were not run']);
    assert.match(stdout, /FAILED .*b\.cjs: 2 of 2 tests were not run/);
  });

  it('counts the steps of another file that were run', () => {
    const steps = (first: string): string =>
      `const { inOrder } = require(${JSON.stringify(resolve('out/test/in-order.cjs'))}); describe('steps', function () { inOrder(this); it('one', ${first}); it('two', () => {}); });`;
    buildSync({
      entryPoints: ['test/editor/in-order.ts'],
      bundle: true,
      format: 'cjs',
      platform: 'node',
      outfile: 'out/test/in-order.cjs',
    });
    const { counts } = report({ 'a.cjs': steps("() => { throw new Error('no'); }"), 'b.cjs': steps('() => {}') }, []);
    assert.deepEqual(
      counts.map(({ passed, failing }) => [passed, failing.map((text) => text.split('\n')[0])]),
      [
        [0, ['steps one', 'steps "before each" hook for "two"']],
        [2, []],
      ],
    );
  });
});
