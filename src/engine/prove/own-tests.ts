/**
 * Which files of the work are its own tests, and which tests stand in other files. The builder wrote them too, so they prove
 * nothing (I8): they get no mutants and do not run in proofs (docs/decisions/0015).
 */
import { languageOf, type Language } from './language.ts';
import { silenced, silencing } from './source.ts';
import { edited, Source, type Range, type SourceTree } from './source-tree.ts';

/** Names that test runners look for, and usual names of test scripts. */
const names = new RegExp(
  [
    String.raw`(^|/)(tests?|__tests__|specs?|e2e)/`, // a folder of them
    String.raw`(^|[/._-])(tests?|specs?)(-d)?\.\w+$`, // test.js, cart.test.ts, run-tests.sh, index.test-d.ts (types)
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

/** A program beside tests, and none by its own name, such as `test/database.ts` and `conftest.py`: who writes more tests builds on it. */
export function isBesideTests(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
  return isNamedTest(path) && languageOf(path, '') !== undefined && !/(^|[._-])(tests?|specs?)([._-]|$)|[a-z](Tests?|Spec)$/.test(name);
}

/** What tests are usually helped by. Who names a product so must not gain by it: only what no run gets to is taken for that. */
export function isNamedHelper(path: string): boolean {
  return /(^|\/)(testing|test[_-]?(utils?|support|helpers?|kit)|__mocks__)\//i.test(path);
}

/** A file that asserts nothing is no test: a product may be named `speed-test.js`, and test folders also hold samples. */
const script =
  /\b(describe|it|test|suite)(\.\w+)*\s*\(|\bassert\b|\b(expect(Type\w*|\w*Assignable|Error)?|assertType)\s*[<(]|\b(PASS|FAIL)|\bexpected\b|\bnot ok\b/;
const compiled = /\btest|assert|expect|should|describe/i;
const asserts: Record<Language, RegExp> = {
  javascript: script,
  typescript: script,
  tsx: script,
  python: /\b(unittest|pytest|doctest)\b|^\s*(async )?def test|^\s*assert\b|\b(PASS|FAIL)|\bexpected\b|\bnot ok\b/m,
  shell: /@test\b|\b(assert|expected|fail|pass|not ok)/i,
  go: compiled,
  rust: compiled,
  java: compiled,
  kotlin: compiled,
  ruby: compiled,
  php: compiled,
  csharp: compiled,
  c: /\b(assert|TEST|TEST_CASE|EXPECT_\w+|expected|FAIL|PASS)\b/,
  cpp: /\b(assert|TEST|TEST_CASE|EXPECT_\w+|REQUIRE|expected|FAIL|PASS)\b/,
  html: /\b(describe|it|test)\s*\(|\bassert\b|\bexpect\s*\(/,
  css: /(?!)/,
};

/** Other languages of tests; the engine does not know their comments. */
const otherLanguages = /\.(exs?|swift|dart|scala)$/;

/** The tests among these files (path to text), changed so that they do nothing. If the language is known, their text stays. */
export function silencedTests(files: Readonly<Record<string, string>>): Record<string, string> {
  const tests = Object.entries(files).filter(([path, text]) => isNamedTest(path) && assertsSomething(path, text));
  return Object.fromEntries(tests.map(([path, text]) => [path, languageOf(path, text) ? silenced(path, text) : '\n']));
}

function assertsSomething(path: string, text: string): boolean {
  const language = languageOf(path, text);
  return language === undefined ? otherLanguages.test(path) && compiled.test(text) : asserts[language].test(text);
}

/** Whether it is worth while to look for tests in a file that is not named as one. */
const signs: Partial<Record<Language, RegExp>> = {
  javascript: /import\.meta\.vitest|\b(describe|it|test|suite)(\.\w+)*\s*\(/,
  typescript: /import\.meta\.vitest|\b(describe|it|test|suite)(\.\w+)*\s*\(/,
  tsx: /import\.meta\.vitest|\b(describe|it|test|suite)(\.\w+)*\s*\(/,
  python: /\bdef test|\bclass Test|\bTestCase\b|>>> /,
  shell: /\btest_?\w*\s*\(\)/i,
  go: /\bfunc (Test|Benchmark|Fuzz|Example)/,
  rust: /#\[\s*(cfg\(.*\btest\b|(\w+::)*test\b)/,
  java: /@(\w*Test)\b/,
  kotlin: /@(\w*Test)\b/,
  ruby: /\b(TestCase|Minitest|describe)\b/,
  php: /\bTestCase\b|#\[Test\]/,
  csharp: /\[(Test|Fact|Theory|TestMethod|TestCase)\b/,
};

export function mayHoldTests(path: string, text: string): Language | undefined {
  const language = languageOf(path, text);
  return language !== undefined && !isNamedTest(path) && signs[language]?.test(text) === true ? language : undefined;
}

/** The file with the tests in it silenced, and with doctests that say nothing of the work; undefined where it holds none. */
export function withoutTests(language: Language, text: string, tree: SourceTree): string | undefined {
  const tests = testsIn(language, text, tree);
  const isInTest = ({ from }: Range): boolean => tests.some((test) => test.from <= from && from < test.to);
  const examples = language === 'python' ? emptyExamples(text, tree).filter((one) => !isInTest(one)) : [];
  const silent = edited(text, [...silencing(language, text, tests), ...examples]);
  return silent === text ? undefined : silent;
}

/** Where tests stand in a file of the work, outermost only. */
export function testsIn(language: Language, text: string, tree: SourceTree): Range[] {
  const source = new Source(text, tree);
  const found: Range[] = [];
  for (const index of source.nodes.keys()) {
    const { from, to } = source.at(index);
    if (found.some((range) => range.from <= from && to <= range.to)) continue;
    const start = isTest[language]?.(source, index);
    if (start !== undefined) found.push({ from: start, to });
  }
  return found;
}

/** Where a node that is a test begins, with what is said about it in front; undefined for any other node. */
type Finder = (source: Source, index: number) => number | undefined;

const inScript: Finder = (source, index) => {
  const { type, from } = source.at(index);
  const [first] = source.namedOf(index);
  if (first === undefined) return undefined;
  if (type === 'if_statement') return source.textOf(first).includes('import.meta.vitest') ? from : undefined;
  if (type !== 'expression_statement' || source.typeOf(first) !== 'call_expression') return undefined;
  const [callee = -1, list = -1] = source.namedOf(first);
  const [title = -1, body] = source.namedOf(list);
  const takesWork = body !== undefined && source.namedOf(list).some((one) => /function/.test(source.typeOf(one)));
  const isCalled = /^(describe|it|test|suite)(\.\w+)*$/.test(source.textOf(callee)) && /string/.test(source.typeOf(title));
  return isCalled && takesWork ? from : undefined;
};

/** A method or class that an annotation calls a test. */
const annotated =
  (kinds: RegExp, mark: RegExp): Finder =>
  (source, index) => {
    if (!kinds.test(source.typeOf(index))) return undefined;
    const marks = source.namedOf(index).filter((child) => /modifiers|attribute|annotation/.test(source.typeOf(child)));
    return marks.some((child) => mark.test(source.textOf(child))) ? source.at(index).from : undefined;
  };

const named =
  (kinds: RegExp, name: RegExp): Finder =>
  (source, index) => {
    if (!kinds.test(source.typeOf(index))) return undefined;
    const [head = ''] = source.textOf(index).split(/[{\n]/, 1);
    return name.test(head) ? source.at(index).from : undefined;
  };

const either =
  (...finders: Finder[]): Finder =>
  (source, index) =>
    finders.map((finder) => finder(source, index)).find((from) => from !== undefined);

const isTest: Partial<Record<Language, Finder>> = {
  javascript: inScript,
  typescript: inScript,
  tsx: inScript,
  python(source, index) {
    const { type, from, parent } = source.at(index);
    if (!type.endsWith('_definition')) return undefined;
    const isOuter = source.typeOf(parent) !== 'decorated_definition';
    const inner = type === 'decorated_definition' ? source.fieldOf(index, 'definition') : index;
    if (inner === undefined || !isOuter) return undefined;
    const [head = ''] = source.textOf(inner).split('\n', 1);
    const body = source.textOf(inner);
    // The work may test a connection, or drive a test: it asserts nothing.
    const isOne = source.typeOf(inner) === 'function_definition' && /^(async\s+)?def test(_\w+)?\s*\(/.test(head) && /\bassert/.test(body);
    const isGroup = /^class Test(\b|[A-Z_])/.test(head) ? /\bdef test/.test(body) : /^class \w+\(.*TestCase\b/.test(head);
    return isOne || (isGroup && source.typeOf(inner) === 'class_definition') ? from : undefined;
  },
  shell(source, index) {
    const text = source.textOf(index);
    const isOne = source.typeOf(index) === 'function_definition' && /^(function\s+)?test(_\w+)?\b/i.test(text);
    return isOne && asserts.shell.test(text) ? source.at(index).from : undefined;
  },
  go: named(/^function_declaration$/, /^func (Test|Benchmark|Fuzz|Example)\w*\(\w* ?\*?(testing\.\w+)?\)/),
  rust(source, index) {
    const { type, from } = source.at(index);
    if (!/^(mod_item|function_item|impl_item|use_declaration)$/.test(type)) return undefined;
    let start: number | undefined;
    let isOne = false;
    for (let above = source.beforeOf(index); above !== undefined; above = source.beforeOf(above)) {
      if (source.typeOf(above) !== 'attribute_item') break;
      start = source.at(above).from;
      isOne ||= /^#\[\s*(cfg\((all\()?.*\btest\b|(\w+::)*test\b)/.test(source.textOf(above)) && !/not\(\s*test/.test(source.textOf(above));
    }
    return isOne ? (start ?? from) : undefined;
  },
  java: annotated(/^(method|class)_declaration$/, /@\w*Test\b/),
  kotlin: annotated(/^(function|class)_declaration$/, /@\w*Test\b/),
  csharp: annotated(/^(method|class)_declaration$/, /\[\s*(Test|Fact|Theory|TestMethod|TestCase|TestClass|TestFixture)\b/),
  ruby: either(named(/^class$/, /<\s*(Minitest|Test::Unit)\b|TestCase\b/), named(/^call$/, /^(RSpec\.)?describe[ (]['":A-Z].*( do\b|\{)/)),
  php: either(named(/^class_declaration$/, /\bextends\s+[\w\\]*TestCase\b/), annotated(/^method_declaration$/, /#\[\s*Test\b/)),
};

/**
 * Doctests that print what they expect, whatever the work does: a requirement may ask that there are some, and a verification may count
 * them. No sign in them could end the text in which they stand.
 */
function emptyExamples(text: string, tree: SourceTree): (Range & { now: string })[] {
  return tree.nodes.flatMap(({ type, from, to }) => {
    if (type !== 'string_content') return [];
    return [...text.slice(from, to).matchAll(example)].map(({ index, 1: indent = '', 2: source = '', 3: expected = '' }) => {
      const start = from + index + indent.length;
      const continued = `\n${indent}...`.repeat(source.split('\n').length - 1);
      return { from: start, to: start + source.length, now: `>>> ${printing(expected, indent)}${continued}` };
    });
  });
}

/** A prompt with the lines that continue it, and what is expected: the lines up to a blank one or the next prompt. */
const example = /^([^\S\n]*)(>>> .*(?:\n\1\.\.\.(?: .*)?(?=\n|$))*)((?:\n(?![^\S\n]*(?:>>>|$)).*)*)/gm;

function printing(expected: string, indent: string): string {
  const lines = expected.split('\n').slice(1);
  if (lines.length === 0) return 'None';
  const words = lines.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line)).join('\n');
  return `print(str().join(map(chr, [${Array.from(words, (sign) => sign.codePointAt(0)).join(', ')}])))`;
}
