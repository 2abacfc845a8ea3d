/** Real outputs of test frameworks for one failing assertion (-1 is not 5). Only home folders are renamed. */

export interface Output {
  exit: number;
  output: string;
}

export const nodeTestSpec: Output = {
  exit: 1,
  output: `✖ adds (1.537453ms)
  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:

  -1 !== 5

      at TestContext.<anonymous> (file:///tmp/sprint/total.test.mjs:4:27)
      at Test.runInAsyncScope (node:async_hooks:206:9)
      at Test.run (node:internal/test_runner/test:796:25)
      at Test.processPendingSubtests (node:internal/test_runner/test:526:18)
      at node:internal/test_runner/harness:255:12
      at node:internal/process/task_queues:140:7
      at AsyncResource.runInAsyncScope (node:async_hooks:206:9)
      at AsyncResource.runMicrotask (node:internal/process/task_queues:137:8) {
    generatedMessage: true,
    code: 'ERR_ASSERTION',
    actual: -1,
    expected: 5,
    operator: 'strictEqual'
  }

ℹ tests 1
ℹ suites 0
ℹ pass 0
ℹ fail 1
ℹ cancelled 0
ℹ skipped 0
ℹ todo 0
ℹ duration_ms 73.091075

✖ failing tests:

test at total.test.mjs:4:1
✖ adds (1.537453ms)
  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:

  -1 !== 5

      at TestContext.<anonymous> (file:///tmp/sprint/total.test.mjs:4:27)
      at Test.runInAsyncScope (node:async_hooks:206:9)
      at Test.run (node:internal/test_runner/test:796:25)
      at Test.processPendingSubtests (node:internal/test_runner/test:526:18)
      at node:internal/test_runner/harness:255:12
      at node:internal/process/task_queues:140:7
      at AsyncResource.runInAsyncScope (node:async_hooks:206:9)
      at AsyncResource.runMicrotask (node:internal/process/task_queues:137:8) {
    generatedMessage: true,
    code: 'ERR_ASSERTION',
    actual: -1,
    expected: 5,
    operator: 'strictEqual'
  }
`,
};

export const nodeTestTap: Output = {
  exit: 1,
  output: `TAP version 13
# Subtest: adds
not ok 1 - adds
  ---
  duration_ms: 1.572215
  location: '/tmp/sprint/total.test.mjs:4:1'
  failureType: 'testCodeFailure'
  error: |-
    Expected values to be strictly equal:

    -1 !== 5

  code: 'ERR_ASSERTION'
  name: 'AssertionError'
  expected: 5
  actual: -1
  operator: 'strictEqual'
  stack: |-
    TestContext.<anonymous> (file:///tmp/sprint/total.test.mjs:4:27)
    Test.runInAsyncScope (node:async_hooks:206:9)
    Test.run (node:internal/test_runner/test:796:25)
    Test.processPendingSubtests (node:internal/test_runner/test:526:18)
    node:internal/test_runner/harness:255:12
    node:internal/process/task_queues:140:7
    AsyncResource.runInAsyncScope (node:async_hooks:206:9)
    AsyncResource.runMicrotask (node:internal/process/task_queues:137:8)
  ...
1..1
# tests 1
# suites 0
# pass 0
# fail 1
# cancelled 0
# skipped 0
# todo 0
# duration_ms 77.567085
`,
};

export const mocha: Output = {
  exit: 1,
  output: `

  total
    1) adds


  0 passing (3ms)
  1 failing

  1) total
       adds:

      AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:

-1 !== 5

      + expected - actual

      --1
      +5

      at Context.<anonymous> (mocha.test.cjs:2:51)
      at process.processImmediate (node:internal/timers:483:21)



`,
};

export const unittest: Output = {
  exit: 1,
  output: `F
======================================================================
FAIL: test_adds (__main__.Totals.test_adds)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/tmp/sprint/unit.py", line 5, in test_adds
    self.assertEqual(total(2, 3), 5)
AssertionError: -1 != 5

----------------------------------------------------------------------
Ran 1 test in 0.000s

FAILED (failures=1)
`,
};

export const pytest: Output = {
  exit: 1,
  output: `F                                                                        [100%]
=================================== FAILURES ===================================
__________________________________ test_adds ___________________________________

    def test_adds():
>       assert total(2, 3) == 5
E       assert -1 == 5
E        +  where -1 = total(2, 3)

test_total.py:3: AssertionError
=========================== short test summary info ============================
FAILED test_total.py::test_adds - assert -1 == 5
1 failed in 1.61s
`,
};

export const cargoTest: Output = {
  exit: 101,
  output: `
running 1 test
adds --- FAILED

failures:

---- adds stdout ----

thread 'adds' (1441) panicked at src/lib.rs:3:13:
assertion \`left == right\` failed
  left: -1
 right: 5
note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace


failures:
    adds

test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

error: test failed, to rerun pass \`--lib\`
`,
};

export const bashAssertion: Output = {
  exit: 1,
  output: `expected 5, got -1
`,
};
