/** Parses JUnit XML, as pytest, Jest's reporters, Vitest, Mocha (`xunit`), node:test, Playwright and many others write it. */
import type { TestCase } from '../../work/case.ts';
import { failureIn } from './failure.ts';
import { caseLimit, type Found } from './found.ts';
import { linesOf, nameOf } from './report-text.ts';
import { readXml, type XmlElement } from './xml.ts';

export function readJunit(text: string): Found | undefined {
  const begin = text.search(/<testsuites?[\s>]/);
  if (begin === -1) return undefined;
  const tests = readXml(text.slice(begin)).flatMap((root) => testsIn(root, []));
  const cases = tests.slice(0, caseLimit).map(({ one, suites }) => caseOf(one, suites));
  return cases.length > 0 ? { cases } : undefined;
}

interface Test {
  one: XmlElement;
  suites: readonly string[];
}

/** @param suites the outermost first; that may be the tool's own name. */
function testsIn(one: XmlElement, suites: readonly string[]): Test[] {
  if (one.name === 'testcase') return [{ one, suites }];
  const inner = one.name === 'testsuite' ? [...suites, one.attributes['name'] ?? ''] : suites;
  return one.children.flatMap((child) => testsIn(child, inner));
}

function caseOf(one: XmlElement, suites: readonly string[]): TestCase {
  const { time } = one.attributes;
  const problem = one.children.find(({ name }) => name === 'failure' || name === 'error');
  const skipped = one.children.some(({ name }) => name === 'skipped');
  const python = suites[0] === 'pytest';
  const name = python ? pythonName(one) : nameIn(one, suites);
  const duration = time === undefined ? {} : { duration: Math.round(Number(time.replaceAll(',', '')) * 1000) };
  if (!problem) return { name, verdict: skipped ? 'skipped' : 'passed', ...fileOf(one), ...duration };
  return { name, verdict: 'failed', ...fileOf(one), ...failureOf(problem, python), ...duration };
}

function fileOf({ attributes }: XmlElement): { file?: string } {
  const { file, classname = '', name = '' } = attributes;
  const named = [file, classname, name].find((text) => text !== undefined && text !== '' && (text === file || isFile(text)));
  return named === undefined ? {} : { file: named };
}

function isFile(text: string): boolean {
  return /^[\w@./-]+\.\w{1,5}$/.test(text) && /\.(?:[cm]?[jt]sx?|py|go|rs|rb|php|java|kt)$/.test(text);
}

/** The tool's own name for a test. `classname` is `test` for node:test, the file for Playwright and Vitest, the suites for Mocha. */
function nameIn({ attributes }: XmlElement, suites: readonly string[]): string {
  const { name = '', classname = '' } = attributes;
  const own = name.replaceAll(' > ', ' › ');
  if (classname === 'test') return nameOf(...suites, own);
  return nameOf(isFile(classname) || own.startsWith(classname) ? '' : classname, own);
}

/** `test_total.py::TestParse::test_words`, as pytest prints it. */
function pythonName({ attributes }: XmlElement): string {
  const { name = '', classname = '', file = '' } = attributes;
  const module = file.replace(/\.py$/, '').replaceAll('/', '.');
  const classes = classname.startsWith(`${module}.`) ? classname.slice(module.length + 1).split('.') : [];
  // A file that cannot be collected is a case of its own.
  return classname === '' ? file || name : [file || classname, ...classes, name].join('::');
}

function failureOf({ attributes, text }: XmlElement, python: boolean): Partial<TestCase> {
  const failure = failureIn(underCause(linesOf(text).filter((line) => !title.test(line))), python);
  // Some tools break the lines of an attribute, or encode it twice.
  const message =
    failure.message ??
    linesOf(attributes['message'] ?? '')
      .filter(Boolean)
      .join('\n');
  return { ...failure, ...(message === '' ? {} : { message }) };
}

/** Playwright repeats the place and name of the test. */
const title = /^\s*\S+:\d+:\d+ › /;

/** Node wraps the error that a test threw; its text is under `cause`. */
function underCause(lines: readonly string[]): string[] {
  const at = lines.findIndex((line) => /^\s*cause: \w*Error\b/.test(line));
  return at === -1 ? [...lines] : lines.slice(at).map((line) => line.replace(/^\s*cause: /, ''));
}
