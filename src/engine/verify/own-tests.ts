/**
 * Which files of the work are its own tests. Who built the work wrote them too, so they prove nothing (I8): no wrong line is
 * put into them, and no proof lets them run. Pure (I3).
 */
import { languageOf, silenced, type Language } from './source.ts';

/** What test runners pick up by themselves, and what people call a script that tries out the work. */
const names = new RegExp(
  [
    String.raw`(^|/)(tests?|__tests__|specs?|e2e)/`, // a folder of them
    String.raw`(^|[/._-])(tests?|specs?)\.\w+$`, // test.js, cart.test.ts, run-tests.sh
    String.raw`(^|/)test[_-][^/]*\.\w+$`, // test-cart.js (node:test), test_cart.py
    String.raw`(^|/)(test[^/]*|conftest)\.py$`, // unittest asks for test*.py
    String.raw`\.bats$`,
  ].join('|'),
  'i',
);

/** By its name: enough where being wrong costs nothing but a mutant. */
export function isNamedTest(path: string): boolean {
  return names.test(path);
}

/** A product may be called `speed-test.js`, and a folder of tests holds samples too: what asserts nothing is no test. */
const asserts: Record<Language, RegExp> = {
  javascript: /\b(describe|it|test|suite)(\.\w+)*\s*\(|\bassert\b|\bexpect\s*\(|\b(PASS|FAIL)|\bexpected\b|\bnot ok\b/,
  python: /\b(unittest|pytest|doctest)\b|^\s*(async )?def test|^\s*assert\b|\b(PASS|FAIL)|\bexpected\b|\bnot ok\b/m,
  shell: /@test\b|\b(assert|expected|fail|pass|not ok)/i,
};

/** The tests among these files (path to text), each with its words but without its behaviour. */
export function silencedTests(files: Readonly<Record<string, string>>): Record<string, string> {
  const tests = Object.entries(files).filter(([path, text]) => {
    const language = isNamedTest(path) ? languageOf(path, text) : undefined;
    return language !== undefined && asserts[language].test(text);
  });
  return Object.fromEntries(tests.map(([path, text]) => [path, silenced(path, text)]));
}
