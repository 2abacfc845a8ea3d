/**
 * Which files of the work are its own tests. The builder wrote them too, so they prove nothing (I8): they get no mutants and do
 * not run in proofs (docs/decisions/0015).
 */
import { languageOf, silenced, type Language } from './source.ts';

/** Names that test runners look for, and usual names of test scripts. */
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

/** By its name alone: a wrong guess only costs a mutant. */
export function isNamedTest(path: string): boolean {
  return names.test(path);
}

/** A file that asserts nothing is no test: a product may be named `speed-test.js`, and test folders also hold samples. */
const asserts: Record<Language, RegExp> = {
  javascript: /\b(describe|it|test|suite)(\.\w+)*\s*\(|\bassert\b|\bexpect\s*\(|\b(PASS|FAIL)|\bexpected\b|\bnot ok\b/,
  python: /\b(unittest|pytest|doctest)\b|^\s*(async )?def test|^\s*assert\b|\b(PASS|FAIL)|\bexpected\b|\bnot ok\b/m,
  shell: /@test\b|\b(assert|expected|fail|pass|not ok)/i,
};

/** Other languages of tests; the engine does not know their comments. */
const otherLanguages = /\.(go|rs|rb|java|kts?|scala|cs|php|exs?|swift|dart)$/;
const otherAsserts = /\btest|assert|expect|should|describe/i;

/** The tests among these files (path to text), changed so that they do nothing. If the language is known, their text stays. */
export function silencedTests(files: Readonly<Record<string, string>>): Record<string, string> {
  const tests = Object.entries(files).filter(([path, text]) => isNamedTest(path) && assertsSomething(path, text));
  return Object.fromEntries(tests.map(([path, text]) => [path, languageOf(path, text) ? silenced(path, text) : emptied(text)]));
}

function assertsSomething(path: string, text: string): boolean {
  const language = languageOf(path, text);
  return language === undefined ? otherLanguages.test(path) && otherAsserts.test(text) : asserts[language].test(text);
}

/** Go compiles no file without a package clause. */
function emptied(text: string): string {
  return `${/^package .*$/m.exec(text)?.[0] ?? ''}\n`;
}
