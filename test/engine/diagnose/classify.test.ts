/** What kind of failure a run is, told from what real tools printed (`outputs/`), their exit status and time. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import { classify } from '../../../src/engine/diagnose/classify.ts';
import { failureKind, type FailureKind } from '../../../src/engine/work/verification.ts';
import * as clients from './outputs/clients.ts';
import * as tests from './outputs/tests.ts';
import * as tools from './outputs/tools.ts';
import { cpuMs } from '../../support/cpu.ts';

const real: Record<string, FailureKind> = {
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
  npmMissingScript: 'tooling_error',
  nodeNoPackage: 'tooling_error',
  nodeNoFile: 'tooling_error',
  nodeNoImport: 'tooling_error',
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
  nodeTypeError: 'runtime_error',
  pythonTraceback: 'runtime_error',
};

describe('classify', () => {
  const outputs = { ...tests, ...tools, ...clients };
  it('knows every output that was kept', () => {
    assert.deepEqual(Object.keys(outputs).sort(), Object.keys(real).sort());
  });
  for (const [name, output] of Object.entries(outputs))
    it(`says ${real[name]} of ${name}`, () => {
      assert.equal(classify({ ...output, timedOut: false }), real[name]);
    });

  const made: [string, Parameters<typeof classify>[0], FailureKind][] = [
    ['a timeout, whatever was printed', { exit: null, timedOut: true, output: tests.mocha.output }, 'timeout'],
    ['exit status 127, whatever was printed', { exit: 127, timedOut: false, output: tests.mocha.output }, 'tooling_error'],
    ['exit status 126, whatever was printed', { exit: 126, timedOut: false, output: '' }, 'tooling_error'],
    ['being killed in silence', { exit: null, timedOut: false, output: '' }, 'runtime_error'],
    ['a signal in silence', { exit: 137, timedOut: false, output: '' }, 'runtime_error'],
    ['exit status 1 in silence', { exit: 1, timedOut: false, output: '' }, 'test_failure'],
    ['exit status 2 in silence', { exit: 2, timedOut: false, output: '' }, 'unknown'],
    [
      'a relative module of the deliverable that is missing',
      { exit: 1, timedOut: false, output: "Error: Cannot find module './total'" },
      'test_failure',
    ],
    ['a mark of a failed test alone', { exit: 2, timedOut: false, output: '  ✗ adds' }, 'test_failure'],
    ['npm as it spoke before', { exit: 1, timedOut: false, output: 'npm ERR! Missing script: "x"' }, 'tooling_error'],
  ];
  for (const [what, run, kind] of made)
    it(`says ${kind} of ${what}`, () => {
      assert.equal(classify(run), kind);
    });

  it('has an answer for anything', () => {
    const exit = fc.option(fc.integer({ min: 0, max: 255 }));
    fc.assert(
      fc.property(exit, fc.boolean(), fc.string(), (code, timedOut, output) => {
        assert.ok(failureKind.options.includes(classify({ exit: code, timedOut, output })));
      }),
    );
  });

  it('takes no more than a moment over a megabyte on one line', () => {
    const took = cpuMs(() => {
      for (const word of ['expected ', 'a', 'No such file or directory: bi', '1:'])
        classify({ exit: 1, timedOut: false, output: word.repeat(1_000_000 / word.length) });
    });
    assert.ok(took < 2000, `${took} ms`);
  });
});
