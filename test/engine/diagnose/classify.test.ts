/** Classifies a failed run by its output, exit status and timeout, with outputs of real tools (`outputs/`). */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import { classify, isRefusedByCompiler } from '../../../src/engine/diagnose/classify.ts';
import { failureKind, type FailureKind } from '../../../src/engine/work/verification.ts';
import * as clients from './outputs/clients.ts';
import * as tests from './outputs/tests.ts';
import * as tools from './outputs/tools.ts';
import { cpuMs } from '../../support/cpu.ts';

const kindOf: Record<string, FailureKind> = {
  nodeTestSpec: 'test_failure',
  nodeTestTap: 'test_failure',
  mocha: 'test_failure',
  unittest: 'test_failure',
  pytest: 'test_failure',
  cargoTest: 'test_failure',
  bashAssertion: 'test_failure',
  bashNoCommand: 'tooling_error',
  shNoCommand: 'tooling_error',
  bashCaught: 'tooling_error',
  bashNotExecutable: 'tooling_error',
  npmMissingScript: 'runtime_error',
  nodeNoPackage: 'tooling_error',
  nodeNoFile: 'runtime_error',
  nodeNoImport: 'runtime_error',
  pythonNoModule: 'tooling_error',
  pythonNoFile: 'unknown',
  nodeRefused: 'service_down',
  nodeNoHost: 'service_down',
  curlRefused: 'service_down',
  pythonRefused: 'service_down',
  nodeSyntax: 'compile_error',
  pythonSyntax: 'compile_error',
  tsc: 'compile_error',
  rustc: 'compile_error',
  gcc: 'compile_error',
  oxlint: 'lint_failure',
  prettier: 'lint_failure',
  ruff: 'lint_failure',
  ruffConcise: 'lint_failure',
  ruffFormat: 'lint_failure',
  black: 'lint_failure',
  pylint: 'lint_failure',
  eslint: 'lint_failure',
  mypy: 'compile_error',
  mavenCompile: 'compile_error',
  goBuild: 'compile_error',
  goTestUnbuilt: 'compile_error',
  javac: 'compile_error',
  cargoWithoutCode: 'compile_error',
  mavenTest: 'test_failure',
  mavenOffline: 'tooling_error',
  nodePortInUse: 'runtime_error',
  goPortInUse: 'runtime_error',
  nodeTypeError: 'runtime_error',
  pythonTraceback: 'runtime_error',
};

describe('classify', () => {
  const outputs = { ...tests, ...tools, ...clients };
  it('is no service that is down where that is only said in what a server answered', () => {
    const answered =
      'late start is wrong: expected status 503, got 500 {"statusCode":500,"code":"ECONNREFUSED","message":"connect ECONNREFUSED ::1:1"}';
    assert.equal(classify({ exit: 1, timedOut: false, output: answered }), 'test_failure');
    assert.equal(classify({ exit: 1, timedOut: false, output: answered.replaceAll('}', '') }), 'test_failure', 'cut off');
    const long = ['500 {"', 'expected 500 '].map((text) => text.repeat(20_000));
    assert.ok(cpuMs(() => long.forEach((output) => classify({ exit: 1, timedOut: false, output }))) < 1000);
    for (const output of [
      'got 500 from connect ECONNREFUSED ::1:1',
      answered.replace('503', '200'),
      'no answer: {"code":"ECONNREFUSED"}',
      `${answered}\nconnect ECONNREFUSED ::1:1`,
    ])
      assert.equal(classify({ exit: 1, timedOut: false, output }), 'service_down', output);
  });

  it('has an expected kind for every stored output', () => {
    assert.deepEqual(Object.keys(outputs).sort(), Object.keys(kindOf).sort());
  });
  for (const [name, output] of Object.entries(outputs))
    it(`gives ${kindOf[name]} for ${name}`, () => {
      assert.equal(classify({ ...output, timedOut: false }), kindOf[name]);
    });

  const madeUp: { what: string; run: Parameters<typeof classify>[0]; kind: FailureKind }[] = [
    { what: 'a timeout, whatever was printed', run: { exit: null, timedOut: true, output: tests.mocha.output }, kind: 'timeout' },
    {
      what: 'exit status 127, whatever was printed',
      run: { exit: 127, timedOut: false, output: tests.mocha.output },
      kind: 'tooling_error',
    },
    ...[
      'browser: No page is open: begin with `browser open ADDRESS`.',
      'browser: There is no action "see".\nUse one of:\n  browser open ADDRESS',
    ].map((output) => ({
      what: 'a call of the command browser that no work could mend',
      run: { exit: 1, timedOut: false, output },
      kind: 'tooling_error' as const,
    })),
    ...[
      'sh: 1: vitest: not found\nno total',
      '/tmp/work/bin/total.sh: 3: jq: not found\r\nno total',
      './run.sh: 12: exec: jq: not found',
    ].map((output) => ({
      what: 'a program that dash does not find, and the script goes on',
      run: { exit: 1, timedOut: false, output },
      kind: 'tooling_error' as const,
    })),
    {
      what: 'a browser that is not installed',
      run: { exit: 1, timedOut: false, output: "Error: browserType.launch: Executable doesn't exist at /home/me/.cache/ms-playwright/x" },
      kind: 'tooling_error',
    },
    {
      what: 'a name that the work does not find',
      run: { exit: 1, timedOut: false, output: 'shop.ini: 3: name: not found\nflash: total: not found' },
      kind: 'test_failure',
    },
    { what: 'exit status 126, whatever was printed', run: { exit: 126, timedOut: false, output: '' }, kind: 'tooling_error' },
    { what: 'a kill without output', run: { exit: null, timedOut: false, output: '' }, kind: 'runtime_error' },
    { what: 'a signal without output', run: { exit: 137, timedOut: false, output: '' }, kind: 'runtime_error' },
    { what: 'exit status 1 without output', run: { exit: 1, timedOut: false, output: '' }, kind: 'test_failure' },
    { what: 'exit status 2 without output', run: { exit: 2, timedOut: false, output: '' }, kind: 'unknown' },
    {
      what: 'a missing relative module of the deliverable',
      run: { exit: 1, timedOut: false, output: "Error: Cannot find module './total'" },
      kind: 'runtime_error',
    },
    {
      what: 'words that the script itself expects',
      run: { exit: 1, timedOut: false, output: 'wrong: expected "connection refused", got ""', script: "out = 'connection refused'" },
      kind: 'test_failure',
    },
    {
      what: 'words that the script itself expects, in other letters',
      run: {
        exit: 1,
        timedOut: false,
        output: 'wrong: Connection refused',
        script: 'grep -qi "connection refused" out || { echo wrong; exit 1; }',
      },
      kind: 'test_failure',
    },
    {
      what: 'an exception that the script itself names',
      run: {
        exit: 1,
        timedOut: false,
        output: 'AssertionError: Missing expected exception (SyntaxError).',
        script: 'assert.throws(f, SyntaxError)',
      },
      kind: 'test_failure',
    },
    {
      what: 'another breakdown beside such words',
      run: {
        exit: 1,
        timedOut: false,
        output: 'expected "connection refused", got "sh: mill: command not found"',
        script: 'connection refused',
      },
      kind: 'tooling_error',
    },
    {
      what: 'a compiler of C#',
      run: { exit: 1, timedOut: false, output: 'Total.cs(3,9): error CS0029: Cannot implicitly convert type (total.csproj)' },
      kind: 'compile_error',
    },
    {
      what: 'a compiler of Kotlin',
      run: { exit: 1, timedOut: false, output: 'e: file:///w/src/main/kotlin/A.kt:3:5 Unresolved reference: totl' },
      kind: 'compile_error',
    },
    { what: 'only the mark of a failed test', run: { exit: 2, timedOut: false, output: '  ✗ adds' }, kind: 'test_failure' },
    {
      what: 'the format of older npm versions',
      run: { exit: 1, timedOut: false, output: 'npm ERR! Missing script: "x"' },
      kind: 'runtime_error',
    },
  ];
  for (const { what, run, kind } of madeUp)
    it(`gives ${kind} for ${what}`, () => {
      assert.equal(classify(run), kind);
    });

  it('takes what a compiler says for work that is not built, and no error of a text that is read', () => {
    const is = (output: string): boolean => isRefusedByCompiler({ exit: 2, timedOut: false, output });
    assert.deepEqual(
      ['src/a.ts(3,1): error TS2322: no', 'error[E0308]: mismatched', 'SyntaxError: Unexpected token } in JSON', 'not as required'].map(is),
      [true, true, false, false],
    );
  });

  it('gives a kind for any output', () => {
    const exit = fc.option(fc.integer({ min: 0, max: 255 }));
    fc.assert(
      fc.property(exit, fc.boolean(), fc.string(), (code, timedOut, output) => {
        assert.ok(failureKind.options.includes(classify({ exit: code, timedOut, output })));
      }),
    );
  });

  it('is fast on a megabyte in one line', () => {
    const took = cpuMs(() => {
      for (const word of ['a.py:1: ', 'Tests run: 1, ', 'expected ', 'a', '/sh: 1: a', 'No such file or directory: bi', '1:'])
        classify({ exit: 1, timedOut: false, output: word.repeat(1_000_000 / word.length) });
    });
    assert.ok(took < 2000, `${took} ms`);
  });
});
