/** A failure's signature (I9): equal for the same failure in every run, different for another failure. */
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
  /** Real outputs with edits that keep the failure the same: durations, paths, ports, lines. */
  const sameFailure: { what: string; run: Output; edits: [string | RegExp, string][] }[] = [
    {
      what: 'node --test, with other durations',
      run: nodeTestSpec,
      edits: [
        [/\d+\.\d+ms/g, '0.99ms'],
        [/duration_ms .*/g, 'duration_ms 107.941142'],
      ],
    },
    { what: 'node --test as TAP, with other durations', run: nodeTestTap, edits: [[/duration_ms: .*/g, 'duration_ms: 2']] },
    { what: 'mocha, with another duration', run: mocha, edits: [['3ms', '12ms']] },
    { what: 'unittest, with another duration', run: unittest, edits: [['0.000s', '1.250s']] },
    { what: 'pytest, with another duration', run: pytest, edits: [[/in \d+\.\d+s/g, 'in 9.99s']] },
    {
      what: 'cargo test, with another thread and duration',
      run: cargoTest,
      edits: [
        [/\(\d+\)/g, '(4711)'],
        [/in \d+\.\d+s/g, 'in 0.61s'],
      ],
    },
    { what: 'npm, with another log file', run: npmMissingScript, edits: [[/2026-\d\d-\d\dT[\d_]+Z/g, '2027-01-02T03_04_05_678Z']] },
    { what: 'another temporary folder', run: nodeTestSpec, edits: [['/tmp/sprint/', '/tmp/other-x8f/']] },
    {
      what: 'another port',
      run: clients.nodeRefused,
      edits: [
        ['127.0.0.1:9', '127.0.0.1:45831'],
        ['port: 9', 'port: 45831'],
      ],
    },
    { what: 'another port of curl', run: clients.curlRefused, edits: [['port 9', 'port 3107']] },
    { what: 'the assertion a few lines further down', run: nodeTestSpec, edits: [['mjs:4:', 'mjs:14:']] },
    { what: 'the assertion a few lines further down, in Python', run: pytest, edits: [['test_total.py:3:', 'test_total.py:33:']] },
    { what: 'the error a few lines further down, in a compiler', run: tsc, edits: [['(1,14)', '(21,4)']] },
    { what: 'colours', run: bashAssertion, edits: [['expected 5', '\u001B[31mexpected\u001B[0m 5']] },
    { what: 'Windows line ends', run: mocha, edits: [['\n', '\r\n']] },
  ];
  for (const { what, run, edits } of sameFailure)
    it(`stays the same for ${what}`, () => {
      assert.equal(sign(edited(run, ...edits)), sign(run));
    });

  /** Real outputs, edited to expect 6 instead of 5. */
  const otherFailure: { what: string; run: Output; edits: [string | RegExp, string][] }[] = [
    {
      what: 'node --test',
      run: nodeTestSpec,
      edits: [
        ['-1 !== 5', '-1 !== 6'],
        ['expected: 5', 'expected: 6'],
      ],
    },
    {
      what: 'node --test as TAP',
      run: nodeTestTap,
      edits: [
        ['-1 !== 5', '-1 !== 6'],
        ['expected: 5', 'expected: 6'],
      ],
    },
    {
      what: 'mocha',
      run: mocha,
      edits: [
        ['-1 !== 5', '-1 !== 6'],
        ['+5', '+6'],
      ],
    },
    {
      what: 'unittest',
      run: unittest,
      edits: [
        ['-1 != 5', '-1 != 6'],
        ['3), 5', '3), 6'],
      ],
    },
    { what: 'pytest', run: pytest, edits: [['== 5', '== 6']] },
    { what: 'cargo test', run: cargoTest, edits: [['right: 5', 'right: 6']] },
    { what: 'a shell script', run: bashAssertion, edits: [['expected 5', 'expected 6']] },
  ];
  for (const { what, run, edits } of otherFailure)
    it(`differs for another assertion of ${what}`, () => {
      assert.notEqual(sign(edited(run, ...edits)), sign(run));
    });

  const says = (line: string): string => sign({ exit: 1, output: `wrong order: ${line}` });
  const asserted: [one: string, other: string][] = [
    ['expected "90s", got "9s"', 'expected "90s", got "1000s"'],
    ['expected "1.5s", got "2.5s"', 'expected "1.5s", got "3.5s"'],
    ['expected 2024-01-01T00:00:00Z, got 2024-01-02T00:00:00Z', 'expected 2024-01-01T00:00:00Z, got 2024-01-01T00:01:00Z'],
    ['expected 0x1f, got 0x2f', 'expected 0x1f, got 0xff'],
    ["expected 'c0ffee1', got 'a1b2c3d'", "expected 'c0ffee1', got 'deadbe1'"],
    ['expected 1:1:1, got 1:2:3', 'expected 1:1:1, got 1:9:9'],
    ['expected port 80, got port 81', 'expected port 80, got port 9000'],
  ];
  for (const [one, other] of asserted) it(`differs for ${one} and ${other}`, () => assert.notEqual(says(one), says(other)));

  const variable: [one: string, other: string][] = [
    ['got "2026-01-01T10:20:30.123Z"', 'got "2026-01-02T11:21:31.456Z"'],
    ['time="2026-01-01T10:20:30Z" level=error', 'time="2026-01-02T11:21:31Z" level=error'],
    ['got 12.345 ms', 'got 7.89 ms'],
    ['got "served in 35ms"', 'got "served in 7ms"'],
    ['error after 35 ms', 'error after 7 ms'],
    ['expected under 200 ms, got 312 ms', 'expected under 200 ms, got 319 ms'],
    ['expected at most 2s, got 3.1s', 'expected at most 2s, got 3.4s'],
    [`error: {"time": "2026-06-01T12:00:00", "id": "a1b2c3d4"}`, `error: {"time": "2026-06-02T13:01:01", "id": "d4c3b2a1"}`],
    ["error: pathspec 'a1b2c3d' did not match", "error: pathspec 'deadbe1' did not match"],
    ['got /tmp/a1/out.json', 'got /tmp/b2/out.json'],
    ['got "3f2b8c1a-93be-4a3b-8f10-0123456789ab"', 'got "11111111-93be-4c3b-8f10-abcdefabcdef"'],
    ['got 0xc000010a20', 'got 0xc0000fe310'],
    ["got '9f86d081884c7d65'", "got '60303ae22b998861'"],
    ['got "http://127.0.0.1:45831/"', 'got "http://127.0.0.1:39001/"'],
    ['got port 45831', 'got port 39001'],
    ["error at 'src/a.js:3:7'", "error at 'src/a.js:13:9'"],
  ];
  for (const [one, other] of variable) it(`stays the same for ${one} and ${other}`, () => assert.equal(says(one), says(other)));

  it('differs for another test with the same values', () => {
    for (const run of [nodeTestSpec, nodeTestTap, mocha, cargoTest])
      assert.notEqual(sign(edited(run, ['adds', 'subtracts'])), sign(run), run.output.slice(0, 40));
  });

  it('differs for another exit status or kind', () => {
    const run = { output: 'wrong total', timedOut: false };
    const all = [
      signature({ ...run, exit: 1 }, 'test_failure'),
      signature({ ...run, exit: 2 }, 'test_failure'),
      signature({ ...run, exit: null }, 'test_failure'),
      signature({ ...run, exit: 1 }, 'runtime_error'),
    ];
    assert.equal(new Set(all).size, all.length);
  });

  it('differs for all stored outputs, and starts with the kind', () => {
    // The same finding in another format is the same failure.
    const { ruffConcise, ...otherTools } = tools;
    const all = Object.values({ ...tests, ...otherTools, ...clients });
    assert.equal(new Set(all.map(sign)).size, all.length);
    assert.equal(sign(ruffConcise), sign(tools.ruff));
    assert.match(sign(mocha), /^test_failure-[0-9a-f]{16}$/);
  });

  it('uses the last lines when no line looks like an error', () => {
    const signLines = (...lines: string[]): string => sign({ exit: 3, output: lines.join('\n') });
    assert.equal(signLines('one', 'a', 'b', 'c', 'd', 'e', 'f'), signLines('two', 'a', 'b', 'c', 'd', 'e', 'f'));
    assert.notEqual(signLines('a', 'b'), signLines('a', 'c'));
    assert.equal(signLines(''), signLines());
  });
});

describe('summarize', () => {
  const summaries: { what: string; summary: string; expected: string }[] = [
    {
      what: 'a shell script',
      summary: summarize({ ...bashAssertion, timedOut: false }, 'test_failure'),
      expected: 'test failure, exit status 1\nexpected 5, got -1',
    },
    {
      what: 'a timeout',
      summary: summarize({ exit: null, timedOut: true, output: 'a\nb\nc\n' }, 'timeout'),
      expected: 'timeout, timed out\nb\nc',
    },
    { what: 'a kill', summary: summarize({ exit: null, timedOut: false, output: '' }, 'runtime_error'), expected: 'runtime error, killed' },
    {
      what: 'a long line',
      summary: summarize({ exit: 1, timedOut: false, output: `Error: ${'x'.repeat(500)}` }, 'unknown'),
      expected: `unknown, exit status 1\nError: ${'x'.repeat(193)}`,
    },
  ];
  for (const { what, summary, expected } of summaries)
    it(`describes the failure in a few lines: ${what}`, () => {
      assert.equal(summary, expected);
    });
});
