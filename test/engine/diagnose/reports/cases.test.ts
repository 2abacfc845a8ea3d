/** Reads test frameworks' reports as cases, with outputs of real frameworks (`test/fixtures/frameworks`). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { casesOf } from '../../../../src/engine/diagnose/reports/read-cases.ts';
import { expected, printed, printedNames, printedRoot, withoutDurations } from '../../../support/frameworks.ts';
import * as tests from '../outputs/tests.ts';
import * as tools from '../outputs/tools.ts';

const read = (...names: string[]) => casesOf({ output: names.map(printed).join('\n'), root: printedRoot }, true);
const failedNames = (cases: ReturnType<typeof casesOf>) =>
  cases?.cases.filter(({ verdict }) => verdict === 'failed').map(({ name }) => name);

describe('cases', () => {
  it('are expected for every stored text', () => {
    assert.deepEqual(Object.keys(expected).sort(), printedNames().sort());
  });
  for (const name of printedNames())
    it(`are read from ${name}`, () => {
      assert.deepEqual(withoutDurations(read(name)), expected[name]);
    });

  it('are the same with Windows line ends and terminal colours', () => {
    for (const name of ['jest-all', 'mocha', 'pytest', 'go', 'node-tap']) {
      const output = printed(name).replaceAll('\n', '\r\n').replaceAll('FAIL', '\u001B[31mFAIL\u001B[39m');
      assert.deepEqual(withoutDurations(casesOf({ output, root: printedRoot }, true)), expected[name], name);
    }
  });

  it('of one run are counted once, even if both its report and its text contain them', () => {
    const both = casesOf({ output: printed('pytest'), reports: [printed('pytest-xml')], root: printedRoot }, true);
    assert.deepEqual(withoutDurations(both), expected['pytest-xml']);
  });

  it('counts a failure once that Jest prints again below its summary of many files', () => {
    const failure = 'FAIL test/a.test.js\n  ● adds\n\n    it is 3\n';
    const counts = 'Test Suites: 1 failed, 30 passed, 31 total\nTests:       1 failed, 30 passed, 31 total\n';
    const found = casesOf(
      { output: `${failure}PASS test/b.test.js\nSummary of all failing tests\n${failure}\n${counts}`, reports: [], root: printedRoot },
      true,
    );
    assert.deepEqual([found?.failed, found?.cases.filter(({ verdict }) => verdict === 'failed').length], [1, 1]);
  });

  it('of two frameworks are combined', () => {
    const both = casesOf({ output: printed('jest'), reports: [printed('pytest-xml')], root: printedRoot }, true);
    assert.equal(both?.cases.length, 12);
    assert.equal(both?.failed, 7);
  });

  it('are places in the text when no framework reports', () => {
    const thrown = `TypeError: total is not a function\n    at node:internal/x:1:2\n    at report (/work/tree/src/report.js:7:3)\n`;
    const shell = 'check.sh: line 3: jq: command not found\n';
    const outputs = [tools.tsc, tools.gcc, tools.rustc, tools.pythonSyntax, tools.pythonTraceback].map(({ output }) => output);
    const places = [...outputs, thrown, shell].map((output) => casesOf({ output, root: printedRoot }, true)?.cases[0]);
    assert.deepEqual(
      places.map((one) => `${one?.file}:${one?.line} ${one?.message}`),
      [
        "t.ts:1 error TS2322: Type 'string' is not assignable to type 'number'.",
        'bad.c:1 error: expected ‘;’ before ‘}’ token',
        'bad.rs:1 error[E0425]: cannot find value `missing` in this scope',
        '/tmp/sprint/syn.py:1 SyntaxError: invalid syntax',
        "/tmp/sprint/crash.py:2 KeyError: 'total'",
        'src/report.js:7 TypeError: total is not a function',
        'check.sh:3 jq: command not found',
      ],
    );
  });

  it('are not read from the text of a green run, or when nothing fails', () => {
    assert.equal(casesOf({ output: 'src/a.js:3: error: no' }, false), undefined);
    assert.equal(casesOf({ output: tests.bashAssertion.output }, true), undefined);
    assert.equal(casesOf({ output: 'src/a.js:3: const total = 5;\nsrc/a.c:4:2: warning: unused\n' }, true), undefined);
  });

  it('name a file by its path in the tree', () => {
    assert.deepEqual(failedNames(read('mocha-broken')), ['mocha/broken.spec.js:2']);
    const elsewhere = casesOf({ output: printed('mocha-broken'), root: '/somewhere' }, true);
    assert.deepEqual(failedNames(elsewhere), ['/work/tree/mocha/broken.spec.js:2']);
  });

  it('record whether a framework reported them or they were found in the text', () => {
    assert.deepEqual([read('mocha')?.reported, read('mocha-broken')?.reported], [true, false]);
  });
});

describe('what looks alike', () => {
  const junit = (failed: boolean): string =>
    `<testsuites><testsuite name="total" tests="1"><testcase classname="total" name="adds">${failed ? '<failure message="got 3"/>' : ''}</testcase></testsuite></testsuites>`;

  it('is two cases where two report files tell of one name, and one of them failed', () => {
    const found = casesOf({ output: '', reports: [junit(false), junit(true)] }, true);
    assert.deepEqual([found?.total, found?.failed, found?.reported], [2, 1, true]);
    const same = casesOf({ output: '', reports: [junit(true), junit(true)] }, true);
    assert.deepEqual([same?.total, same?.failed], [1, 1]);
  });

  it('is two cases where two report files tell of failures in one place, and one where the output tells of it again', () => {
    const report = (name: string, ...stack: string[]): string =>
      `<testsuite><testcase classname="${name}" name="adds"><failure>${['x: got 3', ...stack].join('\n')}</failure></testcase></testsuite>`;
    const places = (output: string, ...reports: string[]) =>
      casesOf({ output, reports }, true)?.cases.map(({ name, file, line }) => `${name} ${file}:${line}`);
    const shared = '    at Help.check (help.js:5:1)';
    const both = ['Cart › adds help.js:5', 'Mail › adds help.js:5'];
    assert.deepEqual(places('', report('Cart', shared), report('Mail', shared)), both);
    assert.deepEqual(places(report('Other', shared), report('Cart', shared), report('Mail', shared)), both);
    const java = (file: string): string[] =>
      ['org.junit.jupiter.api.AssertionUtils.fail(AssertionUtils.java:55)', `shop.It.adds(${file}:9)`].map((frame) => `\tat ${frame}`);
    assert.deepEqual(places('', report('Cart', ...java('CartTest.java')), report('Mail', ...java('MailTest.java'))), [
      'Cart › adds CartTest.java:9',
      'Mail › adds MailTest.java:9',
    ]);
  });

  it('is a test in each of two packages of Go', () => {
    const failures = (output: string) =>
      casesOf({ output }, true)?.cases.flatMap(({ name, file, line, verdict, message }) =>
        verdict === 'failed' ? [`${name} ${file}:${line} ${message}`] : [],
      );
    const a = ['=== RUN   TestA', '    a_test.go:5: fine', '--- PASS: TestA (0.00s)', '=== RUN   TestB', '=== RUN   TestB/sub'];
    const inA = [
      ...a,
      '    a_test.go:10: no sub',
      '--- FAIL: TestB (0.00s)',
      '    --- FAIL: TestB/sub (0.00s)',
      'FAIL',
      'FAIL\tshop/a\t0.1s',
    ];
    const b = ['=== RUN   TestA', '    b_test.go:7: expected 3, got 4', '--- FAIL: TestA (0.11s)', '=== RUN   TestB'];
    const inB = [...b, '    b_test.go:8: no b', '--- FAIL: TestB (0.00s)', 'FAIL', 'FAIL\tshop/b\t0.1s'];
    const failed = ['TestB/sub a_test.go:10 no sub', 'TestA b_test.go:7 expected 3, got 4', 'TestB b_test.go:8 no b'];
    assert.deepEqual(failures([...inA, ...inB].join('\n')), failed);
    const wrapped = (name: string, line = ''): string => JSON.stringify({ Time: '', Action: 'output', Package: name, Output: `${line}\n` });
    const inTurns = inA.flatMap((line, i) => [wrapped('shop/a', line), ...(i < inB.length ? [wrapped('shop/b', inB[i])] : [])]);
    assert.deepEqual(failures(inTurns.join('\n')), failed);
  });

  it('is one case of pytest, whatever its parameters hold', () => {
    const long = `test_long[${'x'.repeat(80)}]`;
    const output = [
      '=================================== FAILURES ===================================',
      '______________________________ test_short[a - b] _______________________________',
      '',
      'a = 1',
      '',
      '    def test_short(a):',
      '>       assert a == 2',
      'E       assert 1 == 2',
      '',
      'test_sum.py:9: AssertionError',
      `_ ${long} _`,
      '',
      '    def test_long(a):',
      '>       assert a == 3',
      'E       assert 1 == 3',
      '',
      'test_sum.py:19: AssertionError',
      '=========================== short test summary info ============================',
      'FAILED test_sum.py::test_short[a - b] - assert 1 == 2',
      `FAILED test_sum.py::${long} - assert 1 == 3`,
      '2 failed in 0.05s',
    ];
    const found = casesOf({ output: output.join('\n') }, true);
    assert.deepEqual(
      found?.cases.map(({ name, line }) => [name, line]),
      [
        ['test_sum.py::test_short[a - b]', 9],
        [`test_sum.py::${long}`, 19],
      ],
    );
  });
});
