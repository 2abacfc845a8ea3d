/**
 * Which files of the work are its own tests. Who built the work wrote them too, so they prove nothing (I8): no wrong line is
 * put into them, and no proof lets them run. Pure (I3).
 */
import { languageOf, silenced, type Language } from './source.ts';

const names = /(^|\/)(tests?|__tests__|specs?)\/|[._-](test|spec)\.\w+$|(^|\/)(test_[^/]*|conftest)\.py$/;

/** By its name: enough where being wrong costs nothing but a mutant. */
export function isNamedTest(path: string): boolean {
  return names.test(path);
}

/** A product may be called `speed-test.js`, and a folder of tests holds samples too: what asserts nothing is no test. */
const asserts: Record<Language, RegExp> = {
  javascript: /\b(describe|it|test|suite)(\.\w+)*\s*\(|\bassert\b|\bexpect\s*\(/,
  python: /\b(unittest|pytest|doctest)\b|^\s*(async )?def test|^\s*assert\b/m,
  shell: /\b(assert|expected|fail|pass|not ok)/i,
};

/** The tests among these files (path to text), each with its words but without its behaviour. */
export function silencedTests(files: Readonly<Record<string, string>>): Record<string, string> {
  const tests = Object.entries(files).filter(([path, text]) => {
    const language = isNamedTest(path) ? languageOf(path, text) : undefined;
    return language !== undefined && asserts[language].test(text);
  });
  return Object.fromEntries(tests.map(([path, text]) => [path, silenced(path, text)]));
}
