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

/** Languages of which the engine knows no more than that tests are written in them. */
const others = /\.(go|rs|rb|java|kts?|scala|cs|php|exs?|swift|dart)$/;
const assertsThere = /\btest|assert|expect|should|describe/i;

/** The tests among these files (path to text), each without its behaviour; with its words, where comments of its language are known. */
export function silencedTests(files: Readonly<Record<string, string>>): Record<string, string> {
  const tests = Object.entries(files).filter(([path, text]) => isNamedTest(path) && assertsSomething(path, text));
  return Object.fromEntries(tests.map(([path, text]) => [path, languageOf(path, text) ? silenced(path, text) : emptied(text)]));
}

function assertsSomething(path: string, text: string): boolean {
  const language = languageOf(path, text);
  return language === undefined ? others.test(path) && assertsThere.test(text) : asserts[language].test(text);
}

/** Go compiles no file without its package. */
function emptied(text: string): string {
  return `${/^package .*$/m.exec(text)?.[0] ?? ''}\n`;
}
