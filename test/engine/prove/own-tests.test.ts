/** Which files count as the work's own tests (I8): by name and content together, in several languages. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'mocha';
import { languageOf } from '../../../src/engine/prove/language.ts';
import { isBesideTests, isNamedHelper, isNamedTest, silencedTests, testsIn } from '../../../src/engine/prove/own-tests.ts';
import { silentTests } from '../../../src/engine/run/own-tests.ts';
import { createSyntax } from '../../../src/host/syntax/syntax.ts';

const tests: Record<string, string> = {
  'test/cart.test.js': "test('adds', () => assert.equal(add(1, 2), 3));\n",
  'src/__tests__/cart.tsx': "it.each([1])('adds', () => {\n  expect(add(1)).toBe(2);\n});\n",
  'index.test-d.ts': "expectType<string>(add('1', '2'));\n",
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
    assert.match(silent['cart.spec.ts'] ?? '', /^\/\*describe/);
    assert.match(silent['cart_test.go'] ?? '', /\*\/package cart\n$/, 'the rest still compiles');
  });

  it('has programs beside it, which are none by their own names', () => {
    const own = ['test/cart.test.js', 'test_cart.py', 'tests/test_cart.py', 'cart_test.go', 'src/test/java/CartTest.java', 'test/rows.csv'];
    const beside = ['test/database.ts', 'conftest.py', 'tests/conftest.py'];
    assert.deepEqual([...own, 'src/cart.ts', ...beside].filter(isBesideTests), beside);
  });

  it('are excluded from mutants by their name alone', () => {
    for (const path of [...Object.keys(tests), 'test/rows.csv', 'speed-test.js', 'conftest.py']) assert.ok(isNamedTest(path), path);
    for (const path of ['attest.py', 'src/cart.js', 'latest/cart.js', 'contest.js', 'latest.js', 'specs.md.js'])
      assert.ok(!isNamedTest(path), path);
  });
});

/** Work with tests in the same file; `%` begins and ends what is silenced. */
const inside: { path: string; source: string }[] = [
  {
    path: 'src/a.rs',
    source: 'fn f() {}\n%#[cfg(test)]\nmod tests {\n  use super::*;\n  #[test]\n  fn g() { f(); /* c */ }\n}%\nfn h() {}\n',
  },
  { path: 'src/a.rs', source: 'fn f() {}\n\n%#[tokio::test]\n#[ignore]\nasync fn g() {}%\n' },
  { path: 'a.py', source: "def f(): pass\n\n%def test_f():\n    assert f() is None, 'it\\'s'%\n\nx = 1\n" },
  { path: 'a.py', source: "%@mark('x')\nclass TestF(Base):\n    def test_f(self):\n        '''Doc'''\n        f()%\n\nx = 1\n" },
  { path: 'a.py', source: 'class Work:\n    x = 1\n\n%class Some(unittest.TestCase):\n    def test(self): f()%\n' },
  { path: 'a.js', source: "f();\n%if (import.meta.vitest) {\n  it('f', () => {});\n}%\n" },
  { path: 'a.ts', source: "export const f = 1;\n%describe('f', () => {\n  it.each([1])('g', () => {});\n});%\n" },
  { path: 'a.sh', source: 'f() { echo 1; }\n%test_f() {\n  [ "$(f)" = 1 ] || echo FAIL\n}%\nf\n' },
  { path: 'a.go', source: 'package a\n\n%func TestF(t *testing.T) { f() }%\n' },
  { path: 'A.java', source: 'class A {\n  int f() { return 1; }\n  %@Test\n  void g() { f(); }%\n}\n' },
  { path: 'a.kt', source: 'class A {\n  fun f() = 1\n  %@Test fun g() { f() }%\n}\n' },
  { path: 'A.cs', source: 'class A {\n  %[Fact]\n  void G() { F(); }%\n}\n' },
  { path: 'a.rb', source: 'def f; end\n%class TestF < Minitest::Test\n  def test_f; f; end\nend%\nf\n' },
  { path: 'a.php', source: '<?php\nfunction f() {}\n%class FTest extends TestCase {\n  function testF() { f(); }\n}%\n' },
];
/** Work that only looks so. */
const workOnly: { path: string; source: string }[] = [
  { path: 'src/a.rs', source: '#[cfg(not(test))]\nfn f() {}\n#[derive(Test)]\nstruct A;\n' },
  { path: 'a.py', source: 'def test_link(to):\n    return to.ok\nclass Tester: pass\nclass TestDrive:\n    wheels = 4\n' },
  { path: 'a.js', source: "test(a);\nconst it = (b) => b;\nit('c');\n/x/.test('y');\n" },
  { path: 'A.java', source: 'class A {\n  @Override void test() {}\n}\n' },
  { path: 'a.sh', source: 'test_link() { ping "$1"; }\nattest() { echo FAIL; }\n' },
];
const syntax = createSyntax();

describe('tests in a file of the work', () => {
  for (const { path, source } of inside)
    it(`in ${path} are found and silenced: ${source.split('%')[1]?.split('\n')[0]}`, async () => {
      const [before = '', test = '', after = ''] = source.split('%');
      const text = before + test + after;
      const language = languageOf(path, text);
      assert.ok(language);
      const tree = await syntax.parse(language, text);
      assert.ok(tree);
      assert.deepEqual(testsIn(language, text, tree), [{ from: before.length, to: before.length + test.length }]);
      const silent = (await silentTests(syntax, { [path]: text }))[path] ?? '';
      assert.ok(silent.startsWith(before) && silent.endsWith(after) && silent !== text, silent);
      const now = await syntax.parse(language, silent);
      assert.equal(now?.errors, 0, silent);
      assert.deepEqual(testsIn(language, silent, now), [], silent);
      assert.equal(silent.split('\n').length, (before + test + after).split('\n').length, silent);
      for (const [i, line] of test.split('\n').entries())
        assert.ok(silent.split('\n')[before.split('\n').length - 1 + i]?.includes(line.split(/\/\*|\*\/|'''/)[0] ?? ''), silent);
    });

  for (const { path, source } of workOnly)
    it(`are not: ${source.split('\n')[0]}`, async () => assert.deepEqual(await silentTests(syntax, { [path]: source }), {}));

  it('as examples in documentation are there, and pass whatever the work does', async () => {
    const text = [
      'def f(n=1):',
      '    """Says \\"how many\\".',
      '',
      '    >>> f()',
      "    '1 \u00fcber'",
      '    >>> for n in (1, 2):',
      '    ...     print(f(n))',
      '    1',
      '    <BLANKLINE>',
      '    2',
      '    >>> import sys',
      '',
      '    >>> f(None)',
      '    Traceback (most recent call last):',
      '        ...',
      '    TypeError: no number',
      '    """',
      '    return 0',
      '',
      'def test_f():',
      "    '''",
      '    >>> g()',
      '    7',
      "    '''",
      '    assert f() == 1',
      '',
    ].join('\n');
    const { 'a.py': silent = '' } = await silentTests(syntax, { 'a.py': text });
    assert.match(silent, /\.\.\.     print|>>> None\n\n    >>> print\(/);
    assert.equal(silent.split('\n').length, text.split('\n').length, 'what a run reaches is told by line');
    const count = 'import doctest, sys; m = type(sys)("m"); exec(sys.argv[1], m.__dict__); print(doctest.testmod(m))';
    const run = (source: string): string =>
      execFileSync('python3', ['-c', count, source], { encoding: 'utf8' }).trim().split('\n').at(-1) ?? '';
    assert.equal(run(text), 'TestResults(failed=4, attempted=5)');
    assert.equal(run(silent), 'TestResults(failed=0, attempted=4)');
    const [simple = ''] = silent.split('def test_f');
    assert.deepEqual(await silentTests(syntax, { 'a.py': simple.replace(/r'''$/, '') }), {});
  });

  it('stay where they share their line with other work, if only whole lines can be silenced', async () => {
    assert.deepEqual(await silentTests(syntax, { 'a.sh': 'test_f() { assert f; }; f\n' }), {});
  });
});

it('helpers of tests are told by their folder', () => {
  for (const path of ['testing/kit.mjs', 'test-utils/render.tsx', 'src/test_helpers/rows.py', 'src/__mocks__/fs.js'])
    assert.ok(isNamedHelper(path) && !isNamedTest(path), path);
  for (const path of ['testing.js', 'contesting/a.js', 'src/kit.mjs']) assert.ok(!isNamedHelper(path), path);
});
