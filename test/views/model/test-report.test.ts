import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { reportOf, verifiedView } from '../../../src/views/model/test-report.ts';
import { byHand, green, run } from './sample.ts';
import { cpuMs } from '../../support/cpu.ts';

const red = (output: string, id = 'cli/adds') => verifiedView(byHand({ id, verdict: 'red', duration: 40, output })).report;

describe('reportOf', () => {
  it('shows a failure from the sprint’s own record', () => {
    assert.deepEqual(reportOf('failed', run(1, { excerpt: "no note: expected '1 note', got 'none'" })), {
      outcome: 'failed',
      duration: 400,
      message: 'no note',
      diff: { expected: "'1 note'", actual: "'none'" },
      line: 1,
    });
  });

  it('shows a flaky or blocked result with its reason, and an awaiting one as skipped', () => {
    const reports = (['awaiting', 'flaky', 'blocked'] as const).map((status) => reportOf(status, run(1)));
    assert.deepEqual(
      reports.map((report) => [report?.outcome, report?.message]),
      [
        ['skipped', ''],
        ['failed', 'flaky: green and red on the same tree\nno note'],
        ['failed', 'blocked\nno note'],
      ],
    );
  });

  it('shows only the duration of a passed run, and nothing for a verification that is not run', () => {
    const passed = { outcome: 'passed', duration: 400, message: '', diff: null, line: 1 };
    assert.deepEqual(reportOf('passed', run(2, { ...green, excerpt: 'expected 1, got 2' })), passed);
    assert.deepEqual([reportOf('pending', run(1)), reportOf('retired', run(1))], [null, null]);
  });
});

describe('verifiedView', () => {
  it('shows a result by its exit status, whatever it printed', () => {
    const output = 'PASS\ncli-adds.sh: line 7: note: not found\n';
    assert.deepEqual(verifiedView(byHand({ id: 'cli/adds', verdict: 'red', exit: 127, duration: 40, output })), {
      verification: 'cli/adds',
      report: {
        outcome: 'failed',
        duration: 40,
        message: 'tooling error, exit status 127\nPASS\ncli-adds.sh: line 7: note: not found',
        diff: null,
        line: 7,
      },
      output,
    });
  });

  it('shows a flaky run as failed', () => {
    const { outcome, message } = verifiedView(byHand({ id: 'cli/adds', verdict: 'flaky', duration: 40, output: 'no note' })).report;
    const words = 'flaky: green and red on the same tree\ntest failure, exit status 1\nno note';
    assert.deepEqual([outcome, message], ['failed', words]);
  });

  it('finds expected and actual values in the formats of common tools', () => {
    const diffs = [
      '  Expected: 5\n  Received: 1',
      "  actual: 'a b',\n  expected: 'a c',\n  operator: 'strictEqual'",
      'not ok 1\n  expected: 5\n  actual: 1',
      "wrong greeting: expected 'Hello, world!', got 'Hello, World!'",
      'expected 5 but got 1',
    ].map((output) => red(output).diff);
    assert.deepEqual(diffs, [
      { expected: '5', actual: '1' },
      { expected: "'a c'", actual: "'a b'" },
      { expected: '5', actual: '1' },
      { expected: "'Hello, world!'", actual: "'Hello, World!'" },
      { expected: '5', actual: '1' },
    ]);
    assert.deepEqual([red('expected: 5').diff, red('this was not expected').diff], [null, null]);
  });

  it('finds a line of its own script, and of no other file', () => {
    const lines = [
      '/verification/cli-adds.sh: line 12: x: unbound variable',
      '    at file:///verification/cli-adds.mjs:3:7',
      '  File "/verification/cli-adds.py", line 42, in <module>',
      '/work/not-cli-adds.sh:9: boom',
      '/work/src/adds.js:9: boom',
      'cli-adds.sh:0',
    ].map((output) => red(output).line);
    assert.deepEqual(lines, [12, 3, 42, 1, 1, 1]);
  });

  it('removes control characters from the output, and keeps the end of a long one', () => {
    const escape = String.fromCharCode(27);
    const output = `${'x'.repeat(30_000)}\n${escape}[31mred${escape}[0m ${escape}]8;;http://evil\u0007link\u202e\r\n\tend\n`;
    const view = verifiedView(byHand({ id: 'a/b', verdict: 'green', exit: 0, duration: 1, output }));
    assert.match(view.output, /^x+\nred \]8;;http:\/\/evillink\n {4}end\n$/);
    assert.ok(view.output.length <= 20_000);
  });

  it('is fast on a line that would be slow for a bad pattern', () => {
    const took = cpuMs(() => red(`${'expected '.repeat(500)}\n`.repeat(50)));
    assert.ok(took < 500, `${took} ms`);
  });
});
