/** Which files count as the work's own tests (I8): by name and content together, in several languages. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isNamedTest, silencedTests } from '../../../src/engine/prove/own-tests.ts';

const tests: Record<string, string> = {
  'test/cart.test.js': "test('adds', () => assert.equal(add(1, 2), 3));\n",
  'src/__tests__/cart.tsx': "it.each([1])('adds', () => {\n  expect(add(1)).toBe(2);\n});\n",
  'cart.spec.ts': "describe('cart', () => {});\n",
  'test_cart.py': 'def test_adds():\n    assert add(1, 2) == 3\n',
  'pkg/cart_test.py': 'import unittest\n',
  'test.js': "if (add(1, 2) !== 3) throw new Error('FAIL: 1 + 2');\n",
  'src/test.mjs': "console.log(add(1, 2) === 3 ? 'ok' : 'not ok');\n",
  'spec.ts': "describe('cart', () => {});\n",
  'test-total.js': 'assert(add(1, 2) === 3);\n',
  'cart.tests.js': "it('adds', () => {});\n",
  'e2e/cart.ts': "expect(page).toBe('3');\n",
  'tests.py': 'from django.test import TestCase\n\ndef test_adds(): ...\n',
  'app/Tests.py': 'if add(1, 2) != 3: sys.exit("expected 3")\n',
  'testcart.py': 'class Cart(unittest.TestCase): ...\n',
  'test.sh': '[ "$(./add 1 2)" = 3 ] && echo PASS\n',
  'run-tests.sh': '[ "$(./add 1 2)" = 3 ] || { echo expected 3; exit 1; }\n',
  'cart.bats': '@test "adds" { [ "$(./add 1 2)" = 3 ]; }\n',
  'cart_test.go': 'package cart\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {}\n',
  'tests/cart.rs': '#[test]\nfn adds() { assert_eq!(add(1, 2), 3); }\n',
  'spec/cart_spec.rb': 'describe Cart do\nend\n',
  'src/test/java/CartTest.java': 'package shop;\n\nclass CartTest { @Test void adds() {} }\n',
  'tests/run.sh': '[ "$(./add 1 2)" = 3 ] || { echo FAIL; exit 1; }\n',
};
/** Samples, helpers without assertions, products with a similar name, and assertions outside tests. */
const others: Record<string, string> = {
  'test/rows.csv': 'test(1)\n',
  'test/server/main.go': 'package main\n\nfunc main() {}\n',
  'spec/parser.js': 'exports.parse = (text) => text.split(",");\n',
  'speed-test.js': 'console.log(measure());\n',
  'test.json': '{ "test": "assert" }\n',
  'testimony.py': 'print(sys.argv[1])\n',
  'attest.py': 'assert sys.argv\n',
  'latest.js': "console.log('PASS');\n",
  'src/cart.js': "import assert from 'node:assert';\n",
};

describe('own tests', () => {
  it('are silenced, and no other file is', () => {
    const silent = silencedTests({ ...tests, ...others });
    assert.deepEqual(Object.keys(silent).sort(), Object.keys(tests).sort());
    for (const [path, text] of Object.entries(tests)) assert.notEqual(silent[path], text);
    assert.match(silent['cart.spec.ts'] ?? '', /^\/\*\ndescribe/);
    assert.deepEqual([silent['cart_test.go'], silent['tests/cart.rs']], ['package cart\n', '\n'], 'the rest still compiles');
  });

  it('are excluded from mutants by their name alone', () => {
    for (const path of [...Object.keys(tests), 'test/rows.csv', 'speed-test.js', 'conftest.py']) assert.ok(isNamedTest(path), path);
    for (const path of ['attest.py', 'src/cart.js', 'latest/cart.js', 'contest.js', 'latest.js', 'specs.md.js'])
      assert.ok(!isNamedTest(path), path);
  });
});
