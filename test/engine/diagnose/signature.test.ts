/** A failure's identity (I9): the same failure has the same one, run for run; another failure has another. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { classify } from '../../../src/engine/diagnose/classify.ts';
import { signature, summarize } from '../../../src/engine/diagnose/signature.ts';
import * as clients from './outputs/clients.ts';
import { mocha, nodeTestSpec, nodeTestTap, cargoTest, unittest, pytest, bashAssertion, type Output } from './outputs/tests.ts';
import { npmMissingScript, tsc } from './outputs/tools.ts';
import * as tools from './outputs/tools.ts';
import * as tests from './outputs/tests.ts';

const sign = (run: Output): string => signature({ ...run, timedOut: false }, classify({ ...run, timedOut: false }));
const edited = ({ exit, output }: Output, ...edits: [string | RegExp, string][]): Output => {
  const changed = edits.reduce((text, [from, to]) => text.replaceAll(from, to), output);
  assert.notEqual(changed, output, 'the edit changes something');
  return { exit, output: changed };
};

describe('signature', () => {
  /** The differences between two real runs of the same failure, and what varies elsewhere. */
  const again: [string, Output, [string | RegExp, string][]][] = [
    [
      'node --test, with other durations',
      nodeTestSpec,
      [
        [/\d+\.\d+ms/g, '0.99ms'],
        [/duration_ms .*/g, 'duration_ms 107.941142'],
      ],
    ],
    ['node --test as TAP, with other durations', nodeTestTap, [[/duration_ms: .*/g, 'duration_ms: 2']]],
    ['mocha, with another duration', mocha, [['3ms', '12ms']]],
    ['unittest, with another duration', unittest, [['0.000s', '1.250s']]],
    ['pytest, with another duration', pytest, [[/in \d+\.\d+s/g, 'in 9.99s']]],
    [
      'cargo test, with another thread and duration',
      cargoTest,
      [
        [/\(\d+\)/g, '(4711)'],
        [/in \d+\.\d+s/g, 'in 0.61s'],
      ],
    ],
    ['npm, with another log file', npmMissingScript, [[/2026-\d\d-\d\dT[\d_]+Z/g, '2027-01-02T03_04_05_678Z']]],
    ['another temporary folder', nodeTestSpec, [['/tmp/sprint/', '/tmp/other-x8f/']]],
    [
      'another port',
      clients.nodeRefused,
      [
        ['127.0.0.1:9', '127.0.0.1:45831'],
        ['port: 9', 'port: 45831'],
      ],
    ],
    ['another port of curl', clients.curlRefused, [['port 9', 'port 3107']]],
    ['the assertion a few lines further down', nodeTestSpec, [['mjs:4:', 'mjs:14:']]],
    ['the assertion a few lines further down, in Python', pytest, [['test_total.py:3:', 'test_total.py:33:']]],
    ['the error a few lines further down, in a compiler', tsc, [['(1,14)', '(21,4)']]],
    ['colours', bashAssertion, [['expected 5', '\u001B[31mexpected\u001B[0m 5']]],
    ['Windows line ends', mocha, [['\n', '\r\n']]],
  ];
  for (const [what, run, edits] of again)
    it(`is the same for ${what}`, () => {
      assert.equal(sign(edited(run, ...edits)), sign(run));
    });

  /** Real runs, with 6 expected where it was 5. */
  const others: [string, Output, [string | RegExp, string][]][] = [
    [
      'node --test',
      nodeTestSpec,
      [
        ['-1 !== 5', '-1 !== 6'],
        ['expected: 5', 'expected: 6'],
      ],
    ],
    [
      'node --test as TAP',
      nodeTestTap,
      [
        ['-1 !== 5', '-1 !== 6'],
        ['expected: 5', 'expected: 6'],
      ],
    ],
    [
      'mocha',
      mocha,
      [
        ['-1 !== 5', '-1 !== 6'],
        ['+5', '+6'],
      ],
    ],
    [
      'unittest',
      unittest,
      [
        ['-1 != 5', '-1 != 6'],
        ['3), 5', '3), 6'],
      ],
    ],
    ['pytest', pytest, [['== 5', '== 6']]],
    ['cargo test', cargoTest, [['right: 5', 'right: 6']]],
    ['a shell script', bashAssertion, [['expected 5', 'expected 6']]],
  ];
  for (const [what, run, edits] of others)
    it(`is another for another assertion of ${what}`, () => {
      assert.notEqual(sign(edited(run, ...edits)), sign(run));
    });

  it('is another for another test with the same values', () => {
    for (const run of [nodeTestSpec, nodeTestTap, mocha, cargoTest])
      assert.notEqual(sign(edited(run, ['adds', 'subtracts'])), sign(run), run.output.slice(0, 40));
  });

  it('is another for another exit status, kind or end', () => {
    const run = { output: 'wrong total', timedOut: false };
    const all = [
      signature({ ...run, exit: 1 }, 'test_failure'),
      signature({ ...run, exit: 2 }, 'test_failure'),
      signature({ ...run, exit: null }, 'test_failure'),
      signature({ ...run, exit: 1 }, 'runtime_error'),
    ];
    assert.equal(new Set(all).size, all.length);
  });

  it('tells all kept outputs apart, and begins with the kind', () => {
    const all = Object.values({ ...tests, ...tools, ...clients });
    assert.equal(new Set(all.map(sign)).size, all.length);
    assert.match(sign(mocha), /^test_failure-[0-9a-f]{16}$/);
  });

  it('goes by the last lines where no line tells anything', () => {
    const said = (...lines: string[]): string => sign({ exit: 3, output: lines.join('\n') });
    assert.equal(said('one', 'a', 'b', 'c', 'd', 'e', 'f'), said('two', 'a', 'b', 'c', 'd', 'e', 'f'));
    assert.notEqual(said('a', 'b'), said('a', 'c'));
    assert.equal(said(''), said());
  });
});

describe('summarize', () => {
  const made: [string, string, string][] = [
    ['a shell script', summarize({ ...bashAssertion, timedOut: false }, 'test_failure'), 'test failure, exit status 1\nexpected 5, got -1'],
    ['a timeout', summarize({ exit: null, timedOut: true, output: 'a\nb\nc\n' }, 'timeout'), 'timeout, timed out\nb\nc'],
    ['being killed', summarize({ exit: null, timedOut: false, output: '' }, 'runtime_error'), 'runtime error, killed'],
    [
      'a long line',
      summarize({ exit: 1, timedOut: false, output: `Error: ${'x'.repeat(500)}` }, 'unknown'),
      `unknown, exit status 1\nError: ${'x'.repeat(193)}`,
    ],
  ];
  for (const [what, summary, expected] of made)
    it(`says in a few lines what happened: ${what}`, () => {
      assert.equal(summary, expected);
    });
});
